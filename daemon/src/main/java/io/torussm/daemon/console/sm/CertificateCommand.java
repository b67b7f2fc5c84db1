package io.torussm.daemon.console.sm;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.console.answer.UsageException;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.dump.Dumps;
import io.torussm.daemon.proof.Assumptions;
import io.torussm.daemon.proof.CertificateFile;
import io.torussm.daemon.proof.FabricFiles;
import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.DeadlockChecker.Proof;
import io.torussm.deadlock.growth.TreeGrowth;
import io.torussm.fabric.Fabric;
import io.torussm.multicast.MulticastView;
import io.torussm.proof.ChannelRanks;
import io.torussm.routing.Plan;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/** The command that writes the active tables with a certificate, which can be checked without this program. */
final class CertificateCommand {
    private static final String FILE = "torus-sm.certificate";

    private final SmControl control;
    private final Lock lock;

    /** An executor that runs one task at a time. */
    interface Lock {
        Answer runAlone(Supplier<Answer> work);
    }

    CertificateCommand(SmControl control, Lock lock) {
        this.control = control;
        this.lock = lock;
    }

    Command command() {
        return Command.change(
                "certificate FILE",
                "write the active tables with a certificate of freedom from credit loops",
                this::certificate,
                "FILE is the name of a new directory in dump_files_dir. It gets the tables, and " + FILE
                        + ", a rank for each",
                "channel; /usr/share/torus-sm/verify-certificate.py checks one against the other. See prove.md.");
    }

    private Answer certificate(List<String> arguments) {
        if (arguments.size() != 1) {
            throw new UsageException();
        }
        String name = RecordCommands.fileName(arguments.get(0));
        Path dir = control.dumpDir();
        return dir == null
                ? Answer.refusal(RecordCommands.NO_DIR)
                : Answer.from(control.view(), view -> lock.runAlone(() -> write(view, dir.resolve(name))));
    }

    private Answer write(PublishedView view, Path dir) {
        if (Files.exists(dir)) {
            return Answer.refusal(dir + " is there already; give another name");
        } else if (!view.qos() && view.subnet().fabric().switchCount() > 0) {
            return Answer.refusal(
                    "qos is off, so the SL2VL tables of switches are unknown; torus-sm prove accepts them as an option");
        }
        MulticastView groups = control.multicast();
        Proof proof = new DeadlockChecker(Runtime.getRuntime().availableProcessors())
                .prove(view.plan(), control.routingOptions(), TreeGrowth::candidates);
        boolean areGroupsProved = view.multicast() != null && Objects.equals(proof.multicast(), view.multicast());
        if (!(proof.verdict() instanceof Certificate certificate)) {
            return Answer.refusal("there is none: " + proof.verdict().text());
        }
        try {
            Dumps.writeProvable(view, groups, dir);
            ChannelRanks ranks = ranks(certificate, view.plan(), areGroupsProved);
            Assumptions assumptions = new Assumptions(
                    OptionalInt.empty(), OptionalInt.empty(), view.plan().multicastSls(), 0);
            String text = CertificateFile.fabricText(
                    control.version(), ranks, new FabricFiles(Optional.of(dir), Map.of()).digests(), assumptions);
            Files.writeString(dir.resolve(FILE), text, StandardCharsets.ISO_8859_1, StandardOpenOption.CREATE_NEW);
            return Answer.done("the tables of sweep " + view.sweep() + " and their certificate, "
                    + ranks.channels().size() + " channels, are in " + dir);
        } catch (IOException e) {
            return Answer.refusal("cannot write " + dir + " (" + e + ")");
        } catch (ConfigurationException e) {
            return Answer.refusal("cannot write " + dir + " (" + e.getMessage() + ")");
        }
    }

    /** Returns the numbering of a proof of this SM as ranks. */
    private static ChannelRanks ranks(Certificate certificate, Plan plan, boolean coversGroups) {
        Fabric fabric = plan.subnet().fabric();
        List<ChannelRanks.Channel> channels = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
                for (int vl = 0; vl < ChannelRanks.VLS; vl++) {
                    int rank = certificate.number(fabric.port(sw, portNum), vl);
                    if (rank != Fabric.NONE) {
                        channels.add(new ChannelRanks.Channel(fabric.nodeGuid(sw), portNum, vl, rank));
                    }
                }
            }
        }
        return new ChannelRanks(certificate.coversSwitchPorts(), coversGroups, channels);
    }
}
