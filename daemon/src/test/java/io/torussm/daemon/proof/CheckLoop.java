package io.torussm.daemon.proof;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.proof.ChannelRanks;
import io.torussm.proof.FabricProof;
import io.torussm.proof.FabricTables;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The check of {@code torus-sm prove DIR --check DIR/certificate} for many directories in one process, for
 * {@code packaging/proof/compare.py}. Digests are not compared. An answer is 0 for a proof, 1 for none, 2 for
 * files that cannot be used.
 */
public final class CheckLoop {
    private CheckLoop() {}

    /** Reads a directory from each line, and prints a line for each. */
    public static void main(String[] args) throws IOException {
        BufferedReader directories = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = directories.readLine(); line != null; line = directories.readLine()) {
            System.out.println(check(Path.of(line)));
        }
    }

    private static int check(Path at) throws IOException {
        try {
            FabricTables tables = new FabricFiles(Optional.of(at), Map.of())
                    .read(Assumptions.NONE)
                    .tables();
            ChannelRanks ranks = CertificateFile.read(at.resolve("certificate")).ranks();
            return FabricProof.check(tables, ranks).isEmpty() ? 0 : 1;
        } catch (ConfigurationException unusable) {
            return 2;
        }
    }
}
