package io.torussm.daemon.proof;

import io.torussm.conf.ConfLines;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.FileErrors;
import io.torussm.deadlock.Certificate;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.proof.ChannelRanks;
import io.torussm.routing.Plan;
import io.torussm.transport.InputFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A certificate as text: a head with its subject and the digests of the files, and a line for each channel.
 *
 * <pre>
 *   torus-sm certificate 1
 *   made-by torus-sm 1.2
 *   covers hosts switches groups
 *   file links opensm-subnet.lst 9f86d081...
 *   assume group-sls 0
 *   channels 384
 *   0x00000000002000b0 3 0 17
 *   ...
 *   end
 * </pre>
 *
 * <p>A channel is the NodeGUID of a switch, a port, a VL, and the rank. For a network that is given by its
 * routes, the head has {@code covers routes}, and a line is the name of a channel and its rank.
 */
public final class CertificateFile {
    /** The first line. */
    public static final String MAGIC = "torus-sm certificate 1";

    private static final int MAX_RANK = 1 << 30;
    private static final int VLS = 16;

    private CertificateFile() {}

    /**
     * Returns a fabric's certificate.
     *
     * @param program program that made it, with its version
     */
    public static String text(String program, ChannelRanks ranks, List<FabricFiles.Digest> files, Assumptions assumed) {
        String covers = "hosts" + (ranks.coversSwitches() ? " switches" : "") + (ranks.coversGroups() ? " groups" : "");
        StringBuilder text = head(program, covers, files);
        assumed.lines().forEach(line -> text.append("assume ").append(line).append('\n'));
        text.append("channels ").append(ranks.channels().size()).append('\n');
        for (ChannelRanks.Channel channel : ranks.channels()) {
            text.append(String.format("0x%016x", channel.switchGuid()))
                    .append(' ')
                    .append(channel.port())
                    .append(' ')
                    .append(channel.vl())
                    .append(' ')
                    .append(channel.rank())
                    .append('\n');
        }
        return text.append("end\n").toString();
    }

    /** Returns the ranks of a proof of this SM. */
    public static ChannelRanks ranks(Certificate certificate, Plan plan, boolean coversGroups) {
        Fabric fabric = plan.subnet().fabric();
        List<ChannelRanks.Channel> channels = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
                for (int vl = 0; vl < VLS; vl++) {
                    int rank = certificate.number(fabric.port(sw, portNum), vl);
                    if (rank != Fabric.NONE) {
                        channels.add(new ChannelRanks.Channel(fabric.nodeGuid(sw), portNum, vl, rank));
                    }
                }
            }
        }
        return new ChannelRanks(certificate.coversSwitchPorts(), coversGroups, channels);
    }

    /**
     * Returns the certificate of a network that is given by its routes.
     *
     * @param program program that made it, with its version
     */
    public static String text(String program, Map<String, Integer> ranks, List<FabricFiles.Digest> files) {
        StringBuilder text = head(program, "routes", files);
        text.append("channels ").append(ranks.size()).append('\n');
        ranks.forEach((name, rank) -> text.append(name).append(' ').append(rank).append('\n'));
        return text.append("end\n").toString();
    }

    private static StringBuilder head(String program, String covers, List<FabricFiles.Digest> files) {
        StringBuilder text = new StringBuilder(MAGIC + "\nmade-by " + program + "\ncovers " + covers + '\n');
        for (FabricFiles.Digest file : files) {
            text.append("file ")
                    .append(file.role().word())
                    .append(' ')
                    .append(file.name())
                    .append(' ')
                    .append(file.sha256())
                    .append('\n');
        }
        return text;
    }

    /**
     * Reads the certificate of a fabric.
     *
     * @throws ConfigurationException with file and line of the fault
     */
    public static ChannelRanks read(Path file) throws ConfigurationException {
        ConfLines conf = new ConfLines(file.toString(), SmEvent.ROUTING_ERROR, SmEvent.ROUTING_WARNING);
        Reader reader = new Reader(conf);
        try (InputStream in = InputFile.open(file)) {
            conf.readDump(in, "it is no line of a certificate", reader::take);
        } catch (IOException e) {
            throw new ConfigurationException(List.of("cannot read " + file + ": " + FileErrors.describe(e)));
        }
        if (conf.isClean() && !reader.isComplete()) {
            conf.error("it is cut off: " + reader.channels.size() + " of " + reader.announced
                    + " channels and no line \"end\"; write it again");
        }
        if (!conf.isClean()) {
            throw new ConfigurationException(
                    conf.findings().stream().map(Finding::text).toList());
        }
        return new ChannelRanks(reader.covers.contains("switches"), reader.covers.contains("groups"), reader.channels);
    }

    private static final class Reader {
        private final ConfLines conf;
        private final List<ChannelRanks.Channel> channels = new ArrayList<>();
        private List<String> covers = List.of();
        private long announced = -1;
        private boolean isEnded;

        Reader(ConfLines conf) {
            this.conf = conf;
        }

        boolean isComplete() {
            return isEnded && channels.size() == announced;
        }

        void take(String line) {
            String[] words = line.strip().split(" ", -1);
            if (conf.line() == 1 && !line.strip().equals(MAGIC)) {
                conf.error("this is no certificate; its first line is \"" + MAGIC + "\"");
            } else if (words[0].equals("covers")) {
                covers = List.of(words);
                if (!covers.contains("hosts")) {
                    conf.error("this certificate is not about a fabric, but about " + ConfLines.quote(line));
                }
            } else if (words[0].equals("channels") && words.length == 2) {
                announced = number(words[1], 10, Integer.MAX_VALUE);
            } else if (words[0].equals("end")) {
                isEnded = true;
            } else if (words[0].startsWith("0x")) {
                channel(line, words);
            }
        }

        private void channel(String line, String[] words) {
            long port = words.length == 4 ? number(words[1], 10, NodeInfo.MAX_PORT_NUM) : -1;
            long vl = words.length == 4 ? number(words[2], 10, VLS - 1) : -1;
            long rank = words.length == 4 ? number(words[3], 10, MAX_RANK) : -1;
            if (port < 0 || vl < 0 || rank < 0 || !words[0].matches("0x[0-9a-fA-F]{1,16}")) {
                conf.error(ConfLines.quote(line) + " is no channel; write the GUID of a switch, port, VL and rank");
                return;
            }
            channels.add(new ChannelRanks.Channel(
                    Long.parseUnsignedLong(words[0].substring(2), 16), (int) port, (int) vl, (int) rank));
        }

        private static long number(String text, int base, long most) {
            boolean isNumber = text.matches("[0-9]{1,10}");
            long number = isNumber ? Long.parseLong(text, base) : -1;
            return number <= most ? number : -1;
        }
    }
}
