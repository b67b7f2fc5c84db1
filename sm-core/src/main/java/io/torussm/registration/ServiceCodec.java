package io.torussm.registration;

import io.torussm.mad.Guid;
import io.torussm.mad.sa.ServiceRecord;
import io.torussm.state.StateFile;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The format of services in the file {@code sa-services}. A line has the GUID of the port that registered the service,
 * the end of the lease in seconds since 1970 or {@code never}, and all bytes of the ServiceRecord.
 *
 * <pre>
 * service 0x0000000100000001 1795000000 1000000000000001fe80000000000000...
 * </pre>
 */
final class ServiceCodec implements StateFile.Parser<List<Services.Registration>> {
    /** The file, which is secret because of its ServiceKeys. */
    static final StateFile FILE = StateFile.of(
                    "sa-services", 1, 64L << 20, "hosts are asked to register with the SA again")
            .secret();

    private static final int WORDS = 4;
    private static final String NEVER = "never";

    private final List<Services.Registration> all = new ArrayList<>();

    /** Returns the line of a service. */
    static String of(Services.Registration service) {
        boolean isForever = service.until() == Services.Registration.FOREVER;
        return "service " + Guid.format(service.registrant()) + ' ' + (isForever ? NEVER : service.until()) + ' '
                + HexFormat.of().formatHex(service.record().toBytes());
    }

    @Override
    public String parseLine(String line) {
        String[] words = line.split(" ", -1);
        int size = ServiceRecord.TYPE.layout().size();
        if (words.length != WORDS || !words[0].equals("service") || words[WORDS - 1].length() != 2 * size) {
            return "expected service, a port GUID, the end of the lease and a record of " + size + " bytes";
        }
        if (all.size() == Services.MAX_SERVICES) {
            return "more than " + Services.MAX_SERVICES + " services";
        }
        try {
            long until = words[2].equals(NEVER) ? Services.Registration.FOREVER : Long.parseUnsignedLong(words[2]);
            ServiceRecord record = ServiceRecord.TYPE.read(HexFormat.of().parseHex(words[WORDS - 1]), 0);
            all.add(new Services.Registration(record, Guid.parse(words[1]), until));
            return until < 0 ? "the lease ends too late" : "";
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Override
    public List<Services.Registration> value() {
        return List.copyOf(all);
    }
}
