package io.torussm.daemon.proof;

import io.torussm.conf.ConfLines;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.proof.ChannelRanks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A parser of the lines of a {@link CertificateFile} of a fabric. An unknown line is an error. */
final class CertificateReader {
    /** Max rank: more than the number of channels of any fabric, since channels are indexes of an array. */
    private static final int MAX_RANK = 1 << 30;

    private final ConfLines conf;
    private final List<ChannelRanks.Channel> channels = new ArrayList<>();
    private final Map<FabricFiles.Role, String> digests = new EnumMap<>(FabricFiles.Role.class);
    private Assumptions assumptions = Assumptions.NONE;

    /** The kinds of traffic after {@code covers}; empty before that line. */
    private List<String> coveredTraffic = List.of();

    /** The number of channels in the head; -1 before that line. */
    private long announcedChannels = -1;

    private boolean isEnded;

    CertificateReader(ConfLines conf) {
        this.conf = conf;
    }

    /** Takes the next line. */
    void parseLine(String line) {
        String text = line.strip();
        String[] words = text.split(" ", -1);
        if (conf.line() == 1) {
            if (!text.equals(CertificateFile.MAGIC)) {
                conf.error("this is no certificate; its first line is \"" + CertificateFile.MAGIC + "\"");
            }
        } else if (isEnded) {
            conf.error("there is a line after \"end\": " + ConfLines.quote(line));
        } else if (words[0].startsWith("0x")) {
            parseChannelLine(line, words);
        } else {
            parseHeadLine(line, words);
        }
    }

    private void parseHeadLine(String line, String[] words) {
        switch (words[0]) {
            case "made-by" -> {} // for people
            case "covers" -> parseCoversLine(line, words);
            case "file" -> parseFileLine(line, words);
            case "assume" ->
                assumptions
                        .with(List.of(words).subList(1, words.length))
                        .ifPresentOrElse(
                                more -> assumptions = more,
                                () -> conf.error(ConfLines.quote(line) + " is no assumption of a certificate"));
            case "channels" -> {
                announcedChannels = words.length == 2 ? number(words[1], Integer.MAX_VALUE) : -1;
                if (announcedChannels < 0) {
                    conf.error(ConfLines.quote(line) + " has no number of channels");
                }
            }
            case "end" -> isEnded = true;
            default -> conf.error(ConfLines.quote(line) + " is no line of a certificate");
        }
    }

    private void parseCoversLine(String line, String[] words) {
        coveredTraffic = List.of(words).subList(1, words.length);
        if (coveredTraffic.equals(List.of("routes"))) {
            conf.error("this is the certificate of a network; check it with verify-certificate.py and network=FILE");
        } else if (!coveredTraffic.contains("hosts")
                || !List.of("hosts", "switches", "groups").containsAll(coveredTraffic)) {
            conf.error(ConfLines.quote(line) + " covers no known traffic; it is hosts, switches and groups");
        }
    }

    private void parseFileLine(String line, String[] words) {
        Optional<FabricFiles.Role> role = Arrays.stream(FabricFiles.Role.values())
                .filter(each -> words.length > 3 && each.word().equals(words[1]))
                .findFirst();
        if (role.isEmpty() || digests.put(role.get(), words[words.length - 1]) != null) {
            conf.error(ConfLines.quote(line) + " is no file of a certificate; write its role, name and SHA-256 once");
        }
    }

    private void parseChannelLine(String line, String[] words) {
        if (words.length == 4 && words[0].matches("0x[0-9a-fA-F]{1,16}")) {
            long port = number(words[1], NodeInfo.MAX_PORT_NUM);
            long vl = number(words[2], ChannelRanks.VLS - 1);
            long rank = number(words[3], MAX_RANK);
            if (port >= 0 && vl >= 0 && rank >= 0) {
                long switchGuid = Long.parseUnsignedLong(words[0].substring(2), 16);
                channels.add(new ChannelRanks.Channel(switchGuid, (int) port, (int) vl, (int) rank));
                return;
            }
        }
        conf.error(ConfLines.quote(line) + " is no channel; write the GUID of a switch, port, VL and rank");
    }

    /** Parses a decimal number; returns -1 unless it is from 0 to max. */
    private static long number(String text, long max) {
        long number = text.matches("[0-9]{1,10}") ? Long.parseLong(text) : -1;
        return number <= max ? number : -1;
    }

    /** Reports an error if lines are absent. */
    void checkEnd() {
        if (coveredTraffic.isEmpty()) {
            conf.error("the certificate has no line \"covers hosts ..\"; repeat prove --certificate");
        } else if (announcedChannels < 0) {
            conf.error("the certificate ends without a line \"channels N\" before it; repeat prove --certificate");
        } else if (!isEnded || channels.size() != announcedChannels) {
            conf.error("the certificate is cut off after " + channels.size() + " of " + announcedChannels
                    + " channels; repeat prove --certificate");
        }
    }

    /** Returns the certificate. To be called after {@link #checkEnd} without errors. */
    FabricCertificate certificate() {
        ChannelRanks ranks =
                new ChannelRanks(coveredTraffic.contains("switches"), coveredTraffic.contains("groups"), channels);
        return new FabricCertificate(ranks, digests, assumptions);
    }
}
