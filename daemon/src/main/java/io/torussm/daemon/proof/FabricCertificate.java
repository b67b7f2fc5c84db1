package io.torussm.daemon.proof;

import io.torussm.proof.ChannelRanks;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The content of a certificate of a fabric.
 *
 * @param ranks ranks of the channels
 * @param digests SHA-256 of the files that the ranks were computed from, in hexadecimal, by role
 * @param assumptions assumptions of the proof for data that are missing in the files
 */
public record FabricCertificate(ChannelRanks ranks, Map<FabricFiles.Role, String> digests, Assumptions assumptions) {
    public FabricCertificate {
        digests = Map.copyOf(digests);
    }

    /**
     * Returns a text on the first difference between the files of this certificate and others; empty if all are equal.
     */
    public Optional<String> fileDifference(List<FabricFiles.Digest> files) {
        List<FabricFiles.Role> roles =
                files.stream().map(FabricFiles.Digest::role).sorted().toList();
        if (!roles.equals(digests.keySet().stream().sorted().toList())) {
            return Optional.of("the certificate is for the files "
                    + words(digests.keySet().stream().sorted().toList()) + ", and these are " + words(roles));
        }
        return files.stream()
                .filter(file -> !file.sha256().equals(digests.get(file.role())))
                .findFirst()
                .map(file -> file.name() + " is not the file of the certificate: its SHA-256 differs");
    }

    private static String words(List<FabricFiles.Role> roles) {
        return roles.stream().map(FabricFiles.Role::word).collect(Collectors.joining(", "));
    }
}
