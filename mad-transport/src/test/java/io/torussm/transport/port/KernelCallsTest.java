package io.torussm.transport.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TopologySpec;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Random calls of the MAD device of a real kernel, recorded by {@code packaging/kernel-lab/umad-calls.c} and repeated
 * on the model. {@code -Dkernel.calls=FILE} repeats another recording. A line is a call with its outcome; T is the
 * transaction ID, C the management class in hexadecimal, W the time-out in milliseconds:
 *
 * <pre>
 *   answered T C W RESULT       a request that a device responds to; RESULT is 0 or an error number
 *   unanswered T C W RESULT     a request without a response
 *   response T C RESULT         a response to a request of another host
 *   read T C STATUS BYTES MAD   a received MAD. STATUS: 0, or 110 after a time-out; MAD: its own status
 *   read none                   no MAD was there
 *   waited                      until all requests had returned; the reads follow, in order of T and C
 *   reopened                    the device was closed with open requests, and opened
 * </pre>
 */
class KernelCallsTest {
    private static final int RETURNED_BYTES = 24;
    private static final int ETIMEDOUT = 110;
    private static final int EINVAL = 22;
    private static final int SA_VERSION = 2;
    private static final int CLASS_PORT_INFO = 1;
    private static final int HOST_LID = 2;
    private static final DrPath UNCONNECTED_ROUTE = DrPath.of(1, 99);

    /** The tick of the kernel of the recording ({@code calls.txt}, first line): time-outs are rounded up to it. */
    private static final int TICKS_PER_SECOND = 250;

    /** Of so many lines one may be a send that the kernel refused because a MAD like it was still being sent. */
    private static final int LINES_PER_REFUSAL = 50;

    private final VirtualLoop loop = new VirtualLoop();
    private final SimFabric fabric = new SimFabric(TopologySpec.of("pair").topology(), loop, FaultPlan.NONE);
    private final ArrayDeque<String> received = new ArrayDeque<>();

    /**
     * MADs without a time-out that may still be on their way to the wire, as "isResponse T C". The kernel refuses
     * another MAD like one of them until it is sent; the model sends immediately.
     */
    private final Set<String> beingSent = new HashSet<>();

    private int refusedDuringSend;
    private KernelPort port = open();

    /** Opens the device, with an empty queue of received MADs. */
    private KernelPort open() {
        KernelPort opened =
                new KernelPort(fabric.attach("host-0", 1), loop, KernelPort.Limits.LINUX.ticking(TICKS_PER_SECOND));
        received.clear();
        opened.start(new MadTransport.Receiver() {
            @Override
            public void received(MadFrame frame) {
                received.add(line(frame));
            }

            @Override
            public void transportFailed(String reason) {
                throw new AssertionError(reason);
            }
        });
        return opened;
    }

    private static String line(MadFrame frame) {
        byte[] mad = frame.mad();
        boolean isReturned = frame.isUndelivered();
        return String.format(
                "read %d %x %d %d %x",
                MadHeader.tid(mad),
                MadHeader.mgmtClass(mad),
                isReturned ? ETIMEDOUT : 0,
                isReturned ? RETURNED_BYTES : mad.length,
                isReturned ? 0 : MadHeader.status(mad));
    }

    /** Gives both hosts LIDs, and makes the link ACTIVE. */
    private void configure() {
        for (int state : new int[] {0, PortInfo.STATE_ARMED, PortInfo.STATE_ACTIVE}) {
            for (DrPath path : List.of(DrPath.LOCAL, DrPath.of(1))) {
                byte[] mad = Smp.directed(Method.SET, 1, PortInfo.TYPE.id(), 1, 0, path);
                PortInfo.LID.set(mad, Smp.DATA_OFFSET, path.hops() + 1);
                PortInfo.PORT_STATE.set(mad, Smp.DATA_OFFSET, state);
                port.send(new MadFrame(MadAddress.DIRECTED, mad), 100);
                runMs(200);
            }
        }
        received.clear();
    }

    private void runMs(long ms) {
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(ms));
    }

    private int send(int tid, int mgmtClass, int timeoutMs, boolean isAnswered) {
        MadFrame frame;
        if (mgmtClass == MgmtClass.SUBN_ADM) {
            int method = isAnswered ? Method.GET : Method.GET_TABLE;
            frame = new MadFrame(
                    new MadAddress(HOST_LID, 1, 0, 0),
                    MadHeader.create(mgmtClass, SA_VERSION, method, tid, CLASS_PORT_INFO, 0));
        } else {
            DrPath path = isAnswered ? DrPath.LOCAL : UNCONNECTED_ROUTE;
            frame = new MadFrame(MadAddress.DIRECTED, Smp.directed(Method.GET, tid, NodeInfo.TYPE.id(), 0, 0, path));
        }
        return port.send(frame, timeoutMs) ? 0 : EINVAL;
    }

    /**
     * Repeats a call on the model.
     *
     * @param line the recorded call
     * @param reads number of MADs that the kernel returned after it, if it is {@code waited}
     * @return the lines that umad-calls would print, with one read more if the model has more
     */
    private List<String> call(String line, int reads) {
        String[] words = line.split(" ", -1);
        boolean wasBeingSent = isBeingSent(words);
        noteSend(words);
        if (wasBeingSent && words[words.length - 1].equals(String.valueOf(EINVAL))) {
            refusedDuringSend++; // only an error that the recording has is excused
            return List.of(line);
        }
        switch (words[0]) {
            case "answered", "unanswered" -> {
                boolean isAnswered = words[0].equals("answered");
                int timeoutMs = Integer.parseInt(words[3]);
                int result = send(Integer.parseInt(words[1]), Integer.parseInt(words[2], 16), timeoutMs, isAnswered);
                runMs(1);
                return List.of(String.join(" ", words[0], words[1], words[2], words[3], String.valueOf(result)));
            }
            case "response" -> {
                byte[] mad = MadHeader.create(
                        MgmtClass.SUBN_ADM,
                        SA_VERSION,
                        Method.GET_RESP,
                        Integer.parseInt(words[1]),
                        CLASS_PORT_INFO,
                        0);
                int result = port.send(new MadFrame(new MadAddress(HOST_LID, 1, 0, 0), mad), 0) ? 0 : EINVAL;
                return List.of("response " + words[1] + " " + words[2] + " " + result);
            }
            case "read" -> {
                String next = received.poll();
                return List.of(next == null ? "read none" : next);
            }
            case "reopened" -> {
                port.close();
                port = open();
                return List.of(line);
            }
            case "waited" -> {
                runMs(1_000);
                List<String> lines = new ArrayList<>(received.stream().sorted().toList());
                received.clear();
                lines.add(0, line);
                int expectedAndOneMore = 1 + reads + 1;
                return lines.subList(0, Math.min(lines.size(), expectedAndOneMore));
            }
            default -> throw new AssertionError("no call: " + line);
        }
    }

    private static boolean isSend(String[] words) {
        return words[0].equals("response") || words[0].equals("answered") || words[0].equals("unanswered");
    }

    private static String sendKey(String[] words) {
        return words[0].equals("response") + " " + words[1] + " " + words[2];
    }

    private boolean isBeingSent(String[] words) {
        return isSend(words) && beingSent.contains(sendKey(words));
    }

    /** Notes a MAD without a time-out as being sent. After a wait, or with the device opened again, none is. */
    private void noteSend(String[] words) {
        if (words[0].equals("waited") || words[0].equals("reopened")) {
            beingSent.clear();
        } else if (isSend(words) && (words[0].equals("response") || words[3].equals("0"))) {
            beingSent.add(sendKey(words));
        }
    }

    /** Returns all lines of the recording, so that an index + 1 is the number of a line. */
    private static List<String> recordedLines() {
        String file = System.getProperty("kernel.calls", "");
        try (InputStream in = file.isEmpty()
                ? KernelCallsTest.class.getResourceAsStream("/kernel/calls.txt")
                : Files.newInputStream(Path.of(file))) {
            assertThat(in).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theModelHasTheOutcomesOfTheKernel() {
        configure();
        List<String> lines = recordedLines();
        assertThat(lines).isNotEmpty();
        for (int at = 0; at < lines.size(); ) {
            int end = at + 1;
            if (lines.get(at).startsWith("#")) {
                at = end;
                continue;
            }
            while (lines.get(at).equals("waited")
                    && end < lines.size()
                    && lines.get(end).startsWith("read ")
                    && !lines.get(end).equals("read none")) {
                end++;
            }
            List<String> kernel = lines.subList(at, end);
            assertThat(call(lines.get(at), end - at - 1)).as("line %d", at + 1).isEqualTo(kernel);
            at = end;
        }
        assertThat(refusedDuringSend)
                .as("sends that were refused during another")
                .isLessThan(lines.size() / LINES_PER_REFUSAL);
    }
}
