package io.torussm.daemon.proof;

import io.torussm.conf.ConfLines;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.FileErrors;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.proof.ChannelRanks;
import io.torussm.transport.InputFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A certificate as text: a head with the covered traffic, the digests of the files and the assumptions, and a
 * line for each channel.
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
 * <p>The line of a channel has the NodeGUID of a switch, the port number of the output, the VL, and the rank. For a
 * network that is given by its routes, the head has {@code covers routes}, and the line of a channel has its name and
 * rank. Only {@code verify-certificate.py} reads a certificate of a network.
 */
public final class CertificateFile {
    /** The first line. */
    public static final String MAGIC = "torus-sm certificate 1";

    private CertificateFile() {}

    /**
     * Returns the certificate of a fabric.
     *
     * @param program program that made it, with its version
     */
    public static String fabricText(
            String program, ChannelRanks ranks, List<FabricFiles.Digest> files, Assumptions assumptions) {
        String covers = "hosts" + (ranks.coversSwitches() ? " switches" : "") + (ranks.coversGroups() ? " groups" : "");
        StringBuilder text = head(program, covers, files);
        assumptions.lines().forEach(line -> text.append("assume ").append(line).append('\n'));
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

    /**
     * Returns the certificate of a network that is given by its routes.
     *
     * @param program program that made it, with its version
     */
    public static String networkText(String program, Map<String, Integer> ranks, List<FabricFiles.Digest> files) {
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
     * Reads the certificate of a fabric. A certificate of a network is refused.
     *
     * @throws ConfigurationException with file and line of the fault
     */
    public static FabricCertificate read(Path file) throws ConfigurationException {
        ConfLines conf = new ConfLines(file.toString(), SmEvent.ROUTING_ERROR, SmEvent.ROUTING_WARNING);
        CertificateReader reader = new CertificateReader(conf);
        try (InputStream in = InputFile.open(file)) {
            conf.readDump(in, "this is no line of a certificate", reader::parseLine);
        } catch (IOException e) {
            throw new ConfigurationException(List.of("cannot read " + file + ": " + FileErrors.describe(e)));
        }
        if (conf.isClean()) {
            reader.checkEnd();
        }
        if (!conf.isClean()) {
            throw new ConfigurationException(
                    conf.findings().stream().map(Finding::text).toList());
        }
        return reader.certificate();
    }
}
