package io.torussm.subnet;

import io.torussm.mad.Guid;
import io.torussm.mad.Lids;
import io.torussm.state.StateDirectory;
import io.torussm.state.StateFile;
import io.torussm.state.StateSuccessor;
import io.torussm.subnet.VPortLids.VPortLid;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The LIDs of virtual ports, in the file {@code vport2lid} of the state directory: one line {@code 0x<vport GUID>
 * 0x<LID> 0x<port GUID>} for each, followed by {@code absent} if no port has the virtual port. With it the first sweep
 * of a restarted SM or of a standby SM writes the same entries, before any virtual port is read.
 *
 * <p>Owner thread: the loop of the SM.
 */
public final class VPortLidStore {
    /** The file of the state directory. */
    public static final StateFile FILE =
            StateFile.of("vport2lid", 1, 16L << 20, "virtual ports keep the LIDs that they report, if these are free");

    private static final int LID_DIGITS = 4;
    private static final String ABSENT = "absent";

    private final StateDirectory directory;
    private VPortLids lids;

    /** Creates the store of a state directory. */
    public VPortLidStore(StateDirectory directory) {
        this.directory = directory;
        lids = directory.read(FILE, new VPortLidLines()).orElse(VPortLids.NONE);
        directory.register(FILE, VPortLidLines::new, new VPortLidSuccessor());
    }

    /** A receiver of the LIDs of another SM. */
    private final class VPortLidSuccessor implements StateSuccessor<VPortLids> {
        @Override
        public void replace(VPortLids adopted) {
            lids = adopted;
        }

        /** Adopts the LIDs of virtual ports without one, unless this SM has given these LIDs to others. */
        @Override
        public void complete(VPortLids adopted) {
            lids = lids.completedBy(adopted);
        }
    }

    /** Returns all LIDs. */
    public VPortLids lids() {
        return lids;
    }

    /**
     * Replaces all LIDs. If they differ, the file is written soon.
     *
     * @param then callback, called once, when the file is written or its write has failed; within this call if the LIDs
     *     are the same, else on the loop that writes
     */
    public void replace(VPortLids newer, Runnable then) {
        boolean isSame = newer.equals(lids);
        lids = newer;
        if (isSame) {
            then.run();
        } else {
            directory.write(FILE, () -> lines(newer), isWritten -> then.run());
        }
    }

    private static Stream<String> lines(VPortLids all) {
        return all.guids().stream().flatMap(guid -> Stream.ofNullable(all.of(guid))
                .map(lid -> Guid.format(guid) + " 0x"
                        + HexFormat.of().toHexDigits(lid.lid(), LID_DIGITS) + ' '
                        + Guid.format(lid.portGuid())
                        + (lid.isPresent() ? "" : " " + ABSENT)));
    }

    /** The reader of the file. */
    private static final class VPortLidLines implements StateFile.Parser<VPortLids> {
        private final Map<Long, VPortLid> lids = new LinkedHashMap<>();
        private final Set<Integer> seen = new HashSet<>();

        @Override
        public String parseLine(String line) {
            String[] words = line.split(" ", -1);
            boolean isAbsent = words.length == 4 && words[3].equals(ABSENT);
            if (words.length != 3 && !isAbsent) {
                return "expected a GUID, a LID, a port GUID and perhaps \"" + ABSENT + '"';
            }
            try {
                return take(
                        Guid.parse(words[0]), new VPortLid(Integer.decode(words[1]), Guid.parse(words[2]), !isAbsent));
            } catch (NumberFormatException e) {
                return "not a number: " + e.getMessage();
            }
        }

        private String take(long guid, VPortLid lid) {
            if (guid == 0 || lid.portGuid() == 0 || !Lids.isUnicast(lid.lid())) {
                return "GUID or LID out of range";
            }
            if (!seen.add(lid.lid())) {
                return "LID " + lid.lid() + " appears twice";
            }
            return lids.putIfAbsent(guid, lid) == null ? "" : "the GUID appears twice";
        }

        @Override
        public VPortLids value() {
            return VPortLids.of(lids);
        }
    }
}
