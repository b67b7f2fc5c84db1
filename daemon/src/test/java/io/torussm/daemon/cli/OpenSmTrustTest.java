package io.torussm.daemon.cli;

import io.torussm.daemon.cli.TorusOnIbSim.Sm;
import io.torussm.testing.IbSim;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Prints the responses of OpenSM and of this SM to a host: the last column of the table in
 * docs/operator/security.md.
 */
@Tag("campaign")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OpenSmTrustTest {
    private static final String SM_HOST = "H-0000000100000000";
    private static final String SECRET = "0x5ec2";
    private static final long GUID = 0x1_0000_0001L;
    private static final int PER_HOST = 0x100;

    @TempDir
    Path dir;

    private int hosts;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatAHostIsAnswered(boolean isOpenSm) throws Exception {
        System.out.println(isOpenSm ? "--- OpenSM" : "--- torus-sm");
        try (TorusOnIbSim torus = new TorusOnIbSim("torus:5x4x1,hosts=1", SM_HOST, dir)) {
            Sm sm = isOpenSm ? torus.openSm(SM_HOST, "-k", SECRET) : torus.torusSm(SM_HOST, "-k", SECRET);
            sm.await("SUBNET UP");
            String victimHost = host(19);
            String victim = "0x" + Long.toHexString(GUID + 19 * PER_HOST);
            requestAsNewHost(torus, "smkey");
            requestAsNewHost(torus, "register:7:" + victim + ":5");
            requestAsNewHost(
                    torus,
                    "servicekey:7",
                    "register:7:" + victim + ":6",
                    "servicekey:7",
                    "unregister:7:" + victim + ":9");
            requestAsNewHost(torus, "join:7");
            requestAsNewHost(torus, "members:7", "join:7:" + victim, "leave:7:" + victim);
            requestAsNewHost(torus, "alias:1:0x1234", "alias:1:" + victim);
            requestAsNewHost(torus, "join:8:" + victim);
            printResponses(torus, victimHost, "join:8");
            requestAsNewHost(torus, "leave:8:" + victim);
            requestAsNewHost(torus, "services:1500");
            requestAsNewHost(torus, "groups:1100");
            requestAsNewHost(torus, "depose:5:0", "smkey", "depose:1:0", "smkey");
            System.out.println(sm.process.isAlive() ? "alive" : "dead");
        }
    }

    /** Sends as a new host, since a retransmission on ibsim would reach the next program at the same host. */
    private void requestAsNewHost(TorusOnIbSim torus, String... requests) throws IOException, InterruptedException {
        printResponses(torus, host(++hosts), requests);
    }

    private static String host(int index) {
        return String.format("H-%016x", GUID - 1 + (long) index * PER_HOST);
    }

    private static void printResponses(TorusOnIbSim torus, String host, String... requests)
            throws IOException, InterruptedException {
        List<String> command = IbSim.java("io.torussm.daemon.cli.AskAsHost", "1");
        command.addAll(List.of(requests));
        System.out.print(torus.toolAt(host, command.toArray(String[]::new)).text());
    }
}
