package io.torussm.registration;

import io.torussm.alias.AliasGuids;
import io.torussm.alias.AliasTable;
import io.torussm.alias.AliasTable.Block;
import io.torussm.alias.AliasTable.Place;
import io.torussm.mad.Guid;
import io.torussm.state.StateFile;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The format of alias GUIDs in the file {@code sa-guids}. A line is an alias of a port (port GUID, index in GUIDInfo,
 * alias), a GUID that the SA assigned to an index, used or not, or an empty block that is not yet written to its port
 * (port GUID, block number).
 *
 * <pre>
 * alias    0x0000000100000001 1 0x0014050000000001
 * assigned 0x0000000100000001 1 0x0014050000000001
 * cleared  0x0000000100000101 0
 * </pre>
 */
final class AliasCodec implements StateFile.Parser<AliasTable> {
    static final StateFile FILE =
            StateFile.of("sa-guids", 1, 64L << 20, "alias GUIDs are not known until their ports ask for them again");

    private static final int MAX_INDEX = 255;
    private static final int MAX_BLOCK = 31;

    private final Map<Place, Long> guids = new HashMap<>();
    private final Map<Place, Long> assigned = new HashMap<>();
    private final Set<Block> cleared = new HashSet<>();

    static Stream<String> of(AliasTable table) {
        return Stream.concat(
                Stream.concat(of("alias ", table.guids()), of("assigned ", table.assignedGuids())),
                table.clearedBlocks().stream()
                        .map(block -> "cleared " + Guid.format(block.portGuid()) + ' ' + block.number())
                        .sorted());
    }

    private static Stream<String> of(String kind, Map<Place, Long> guids) {
        return guids.entrySet().stream()
                .map(entry -> kind
                        + Guid.format(entry.getKey().portGuid())
                        + ' '
                        + entry.getKey().index()
                        + ' '
                        + Guid.format(entry.getValue()))
                .sorted();
    }

    @Override
    public String parseLine(String line) {
        String[] words = line.split(" ", -1);
        try {
            return switch (words[0]) {
                case "alias" -> put(words, guids);
                case "assigned" -> put(words, assigned);
                case "cleared" -> clear(words);
                default -> "expected alias, assigned or cleared";
            };
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static String put(String[] words, Map<Place, Long> into) {
        if (words.length != 4) {
            return "expected a port GUID, an index and a GUID";
        }
        if (into.size() == AliasGuids.MAX_ALIASES) {
            return "more than " + AliasGuids.MAX_ALIASES + " GUIDs";
        }
        int index = Integer.parseInt(words[2]);
        long guid = Guid.parse(words[3]);
        if (index < 1 || index > MAX_INDEX || guid == 0) {
            return "index or GUID out of range";
        }
        return into.put(new Place(Guid.parse(words[1]), index), guid) == null ? "" : "the entry appears twice";
    }

    private String clear(String[] words) {
        int number = words.length == 3 ? Integer.parseInt(words[2]) : -1;
        if (number < 0 || number > MAX_BLOCK || cleared.size() == AliasGuids.MAX_ALIASES) {
            return "expected a port GUID and a block";
        }
        cleared.add(new Block(Guid.parse(words[1]), number));
        return "";
    }

    @Override
    public AliasTable value() {
        return new AliasTable(guids, assigned, cleared);
    }
}
