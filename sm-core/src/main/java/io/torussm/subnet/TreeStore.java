package io.torussm.subnet;

import io.torussm.fabric.NodePort;
import io.torussm.mad.Guid;
import io.torussm.state.StateDirectory;
import io.torussm.state.StateFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The fat tree of the subnet without absent parts, in the file {@code tree} of the state directory. Each line is a
 * switch: {@code 0x<node GUID> <rank>}, and for each cable to a parent {@code <port>-0x<node GUID>:<port>}. With this
 * file an SM routes a tree that lost cables like the complete tree, also after a restart and on a standby SM.
 *
 * <p>Owner thread: the loop of the SM.
 */
public final class TreeStore {
    /** The file of the state directory. */
    public static final StateFile FILE =
            StateFile.of("tree", 1, 64L << 20, "a fat tree that lost cables is routed as the tree that is left");

    /** Max rank of a switch. */
    private static final int MAX_RANK = 64;

    private static final int MAX_PORT_NUM = 254;

    private final StateDirectory directory;
    private @Nullable WholeTree tree;

    TreeStore(StateDirectory directory) {
        this.directory = directory;
        tree = directory.read(FILE, new TreeLines()).orElse(null);
        directory.register(FILE, TreeLines::new, adopted -> tree = adopted);
    }

    /** Returns the tree; null if none is known. */
    public @Nullable WholeTree tree() {
        return tree;
    }

    /** Stores the tree of a programmed plan; writes the file soon after a change. */
    public void remember(WholeTree newer) {
        boolean isKnown = newer.equals(tree);
        tree = newer;
        if (!isKnown) {
            directory.write(FILE, () -> lines(newer));
        }
    }

    private static Stream<String> lines(WholeTree tree) {
        Map<Long, List<String>> up = new TreeMap<>(Long::compareUnsigned);
        tree.ranks().keySet().forEach(guid -> up.put(guid, new ArrayList<>()));
        tree.cables().entrySet().stream()
                .sorted(Comparator.comparingInt(cable -> cable.getKey().portNum()))
                .forEach(cable -> up.computeIfAbsent(cable.getKey().nodeGuid(), guid -> new ArrayList<>())
                        .add(cable.getKey().portNum() + "-"
                                + Guid.format(cable.getValue().nodeGuid()) + ":"
                                + cable.getValue().portNum()));
        return up.entrySet().stream()
                .map(entry -> String.join(
                        " ",
                        Stream.concat(
                                        Stream.of(
                                                Guid.format(entry.getKey()),
                                                Integer.toString(tree.ranks().getOrDefault(entry.getKey(), 0))),
                                        entry.getValue().stream())
                                .toList()));
    }

    /** The reader of the file. */
    private static final class TreeLines implements StateFile.Parser<WholeTree> {
        private final Map<Long, Integer> ranks = new HashMap<>();
        private final Map<NodePort, NodePort> cables = new HashMap<>();

        @Override
        public String parseLine(String line) {
            String[] words = line.split(" ", -1);
            if (words.length < 2) {
                return "expected a node GUID and a rank";
            }
            try {
                long guid = Guid.parse(words[0]);
                if (ranks.put(guid, number(words[1], MAX_RANK)) != null) {
                    return "the GUID appears twice";
                }
                for (int i = 2; i < words.length; i++) {
                    String[] ends = words[i].split("[-:]", -1);
                    if (ends.length != 3) {
                        return "expected PORT-GUID:PORT, not " + words[i];
                    }
                    cables.put(
                            new NodePort(guid, number(ends[0], MAX_PORT_NUM)),
                            new NodePort(Guid.parse(ends[1]), number(ends[2], MAX_PORT_NUM)));
                }
                return "";
            } catch (NumberFormatException e) {
                return "not a number: " + e.getMessage();
            }
        }

        private static int number(String word, int max) {
            int number = Integer.parseInt(word);
            if (number < 0 || number > max) {
                throw new NumberFormatException(word + " is not within 0 and " + max);
            }
            return number;
        }

        @Override
        public WholeTree value() {
            return new WholeTree(ranks, cables);
        }
    }
}
