package io.torussm.mastership;

import io.torussm.event.EventField;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.VirtualLoop;
import io.torussm.testing.Conversation;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.SwitchableLoop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The driver of one SM with port GUID 0xabcd, priority 3 and SM_Key 0x1234, with a wire and a sweeper that only record
 * requests, in the words of a script. Other SMs are written GUID/priority/state, with {@code :key} if they
 * show another SM_Key, with {@code #n} if their ActCount is n, and with {@code @GUID} if they sit at the port of
 * another; all are at the end of one route. Keys and GUIDs are hex. A discovery may find one more SM that does not
 * answer, {@code silent ROUTE}, or that cannot answer, {@code hidden ROUTE}.
 */
final class DriverScript implements Conversation.Subject {
    static final long GUID = 0xabcd;
    static final long SM_KEY = 0x1234;
    private static final DrPath ROUTE = DrPath.of(1, 4, 2);
    private static final SmHost HOST = new SmHost("other", 9);

    private static final long SILENT_GUID = 0x5e;
    private static final Pattern SM =
            Pattern.compile("([0-9a-f]+)/(\\d+)/([A-Z]+)(?::([0-9a-f]+))?(?:#(\\d+))?(?:@([0-9a-f]+))?");

    final VirtualLoop loop = new VirtualLoop();
    final MastershipDriver driver;
    private final LoggedEvents log;
    private final List<String> actions = new ArrayList<>();

    /** M_Keys that the own port accepts; empty if it accepts all. */
    private final Set<Long> mKeys = new HashSet<>();

    private long replicatingGuid;
    private Trust trust = new Trust(SM_KEY, Set.of(), Set.of());
    private int protectBits;
    private int priority = 3;
    private @Nullable SmInfo answering;

    /**
     * The port at the end of a route, by the GUID that the sender claims; null if none. By default the claim is true.
     */
    private LongFunction<SmPeers.@Nullable Port> port = guid -> new SmPeers.Port(guid, true, 9, 0);

    private long directedGuid;
    private int answers;

    /** Set while no SM answers, and no request has timed out yet. */
    private boolean isBusy;

    /** Makes the next withdrawal of the subnet, or the next trap, fail. */
    private boolean isBroken;

    /** The loop as the driver sees it: commands may come from another thread. */
    final SwitchableLoop driverLoop = new SwitchableLoop(loop);

    DriverScript(LoggedEvents log) {
        this.log = log;
        log.take();
        driver = new MastershipDriver(
                driverLoop,
                new Wire(),
                new Sweeps(),
                frame -> {
                    answers++;
                    actions.add(answer(frame));
                },
                GUID,
                key -> mKeys.isEmpty() || mKeys.contains(key),
                guid -> guid == replicatingGuid,
                () -> new MastershipSettings(priority, 1000, 2, 30, protectBits, trust, false));
    }

    /** The wire. To a poll, the SM of the command {@code answers} responds. */
    private final class Wire implements SmPeers {
        @Override
        public Runnable poll(DrPath path, boolean showsKey, Consumer<Answer> then) {
            actions.add("Get " + path + (showsKey ? " with the M_Key" : ""));
            if (isBusy) {
                return () -> actions.add("Get cancelled");
            }
            then.accept(new Answer(answering, false));
            return () -> {};
        }

        @Override
        public void identify(DrPath path, Consumer<@Nullable Port> then) {
            then.accept(port.apply(directedGuid));
        }

        @Override
        public void locate(DrPath path, Consumer<SmHost> then) {
            then.accept(HOST);
        }

        @Override
        public void set(DrPath path, SmInfo self, int modifier, Consumer<String> then) {
            actions.add("Set " + modifier + " " + path + ": " + smInfoText(self));
            then.accept("");
        }

        @Override
        public void trapPriorityChange() {
            failIfBroken();
            actions.add("trap 144");
        }
    }

    private final class Listener implements MasterListener {
        @Override
        public void onBegin() {
            actions.add("mastership begins");
        }

        @Override
        public void onHandover() {
            actions.add("handed over to this SM");
        }

        @Override
        public void onEnd() {
            actions.add("mastership ends");
        }

        @Override
        public void onSuccessor() {
            actions.add("another SM is master");
        }
    }

    private final class Sweeps implements SweepControl {
        @Override
        public void sweepHeavy() {
            actions.add("heavy sweep");
        }

        @Override
        public void sweepAsNewMaster() {
            actions.add("heavy sweep anew");
        }

        @Override
        public void restartSweep() {
            actions.add("heavy sweep instead of the one that runs");
        }

        @Override
        public void sweepLight() {
            actions.add("light sweep");
        }

        @Override
        public void withdraw() {
            failIfBroken();
            actions.add("no sweeps");
        }
    }

    private void failIfBroken() {
        if (isBroken) {
            isBroken = false;
            throw new BrokenException();
        }
    }

    private static final class BrokenException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** Returns the number of responses of the driver. */
    int answers() {
        return answers;
    }

    @Override
    public List<String> on(String command) {
        actions.clear();
        try {
            execute(Arrays.asList(command.split(" ", -1)));
        } catch (BrokenException e) {
            actions.add("failed");
        }
        loop.runFor(1);
        List<String> lines = countedLines();
        log.take()
                .forEach(logged -> lines.add(logged.event().code()
                        + (logged.fields().containsKey(EventField.GUID) ? " " + logged.get(EventField.GUID) : "")));
        lines.add("= " + driver.state().state() + others());
        return lines;
    }

    private void execute(List<String> words) {
        String last = words.get(words.size() - 1);
        switch (words.get(0)) {
            case "start" -> driver.start();
            case "end" -> driver.end(() -> actions.add("ended"));
            case "wait" -> loop.runFor(TimeUnit.SECONDS.toNanos(Integer.parseInt(words.get(1))));
            case "hold" -> driver.hold();
            case "release" -> driver.release();
            case "light" -> driver.sweepLight();
            case "heavy" -> driver.sweepHeavy();
            case "standstill" -> driver.handleStandstill();
            case "listen" -> driver.whenMaster(new Listener());
            case "busy" -> isBusy = true;
            case "broken" -> isBroken = true;
            case "free" -> actions.add(driver.mayBecomeMaster() ? "free to take over" : "not free to take over");
            case "shows" -> actions.add(driver.showsKeyTo(hex(last)) ? "shows the M_Key" : "shows no M_Key");
            case "down" -> driver.onPortDown("the local port is down");
            case "changed" -> driver.onSmChange(path(last));
            case "found" -> reportDiscovery(words);
            case "answers" -> answers(last);
            case "known" -> driver.subnetManagers().forEach(sm -> actions.add(smInfoText(sm)));
            case "port" -> port = port(words);
            case "M_Keys" -> words.stream().skip(1).forEach(key -> mKeys.add(hex(key)));
            case "protection" -> protectBits = Integer.parseInt(last);
            case "replicates" -> replicatingGuid = hex(last);
            case "sm_key" -> trust = new Trust(hex(last), Set.of(), Set.of());
            case "priority" -> {
                priority = Integer.parseInt(last);
                driver.settingsChanged();
            }
            case "trusted_sm_keys" -> trust = new Trust(SM_KEY, Set.of(hex(last)), Set.of());
            case "trusted_sm_guids" -> trust = new Trust(SM_KEY, Set.of(), Set.of(hex(last)));
            case "Get" -> receive(Method.GET, SmInfo.TYPE.id(), words.size() > 1 ? hex(last) : 0);
            case "NodeInfo" -> receive(Method.GET, NodeInfo.TYPE.id(), 0);
            case "Trap" -> receive(Method.TRAP, SmInfo.TYPE.id(), 0);
            case "LID" -> receiveByLid(words);
            case "asked" -> receiveDirected(Method.GET, 0, info(last), 0);
            default ->
                receiveDirected(Method.SET, MastershipScript.modifier(words.get(0)), info(words.get(2)), mKey(words));
        }
    }

    /** {@code port nobody}, {@code port GUID SM}, {@code port GUID host}. */
    private static LongFunction<SmPeers.@Nullable Port> port(List<String> words) {
        return words.get(1).equals("nobody")
                ? guid -> null
                : guid -> new SmPeers.Port(hex(words.get(1)), words.get(2).equals("SM"), 9, 0);
    }

    private static long mKey(List<String> words) {
        return words.size() > 3 ? hex(words.get(3)) : 0;
    }

    private static long hex(String text) {
        return Long.parseLong(text, 16);
    }

    private static DrPath path(String ports) {
        return DrPath.of(
                Arrays.stream(ports.split(",", -1)).mapToInt(Integer::parseInt).toArray());
    }

    private static Matcher sm(String text) {
        Matcher sm = SM.matcher(text);
        if (!sm.matches()) {
            throw new IllegalArgumentException(text);
        }
        return sm;
    }

    private static SmInfo info(String text) {
        Matcher sm = sm(text);
        return SmInfo.TYPE
                .zero()
                .with(SmInfo.GUID, hex(sm.group(1)))
                .with(SmInfo.PRIORITY, Integer.parseInt(sm.group(2)))
                .with(SmInfo.SM_STATE, SmState.valueOf(sm.group(3)).code())
                .with(SmInfo.SM_KEY, sm.group(4) == null ? SM_KEY : hex(sm.group(4)))
                .with(SmInfo.ACT_COUNT, sm.group(5) == null ? 0 : Integer.parseInt(sm.group(5)));
    }

    private void answers(String text) {
        answering = text.equals("nobody") ? null : info(text);
        directedGuid = answering == null ? directedGuid : answering.guid();
    }

    /** Passes on the SMs that a sweep found, and routes to silent ones. With {@code part}, the sweep was incomplete. */
    private void reportDiscovery(List<String> words) {
        List<DiscoveredSm> sms = words.stream()
                .filter(word -> word.contains("/"))
                .map(word -> {
                    String at = sm(word).group(6);
                    return new DiscoveredSm(info(word), hex(at == null ? sm(word).group(1) : at), ROUTE, HOST);
                })
                .toList();
        sms.forEach(sm -> directedGuid = sm.portGuid());
        int hidden = words.indexOf("hidden");
        int silent = Math.max(hidden, words.indexOf("silent"));
        List<SilentSm> missing =
                silent < 0 ? List.of() : List.of(new SilentSm(SILENT_GUID, path(words.get(silent + 1)), hidden >= 0));
        boolean isGranted =
                driver.decision(sms, missing, !words.contains("part")).isGranted();
        actions.add(isGranted ? "may go on" : "may not go on");
    }

    private void receive(int method, int attribute, long mKey) {
        byte[] mad = Smp.lidRouted(method, 0x1234_5678L, attribute, 0, mKey);
        receive(new MadFrame(new MadAddress(9, 0, 2, 0), mad));
    }

    /** {@code LID 9 HANDOVER from 77/9/MASTER}: a SubnSet(SMInfo) that is not directed, from a LID. */
    private void receiveByLid(List<String> words) {
        SmInfo sender = info(words.get(4));
        byte[] mad = Smp.lidRouted(Method.SET, 5, SmInfo.TYPE.id(), MastershipScript.modifier(words.get(2)), 0);
        sender.write(mad, Smp.DATA_OFFSET);
        directedGuid = sender.guid();
        receive(new MadFrame(new MadAddress(Integer.parseInt(words.get(1)), 0, 0, 0), mad));
    }

    /** Receives a MAD by directed route, whose return path is {@link #ROUTE} backwards. */
    private void receiveDirected(int method, int modifier, SmInfo sender, long mKey) {
        byte[] mad = Smp.directed(method, 5, SmInfo.TYPE.id(), modifier, mKey, DrPath.of(1, 1, 1));
        for (int i = 1; i <= 3; i++) {
            mad[Smp.RETURN_PATH + i] = (byte) ROUTE.port(3 - i);
        }
        sender.write(mad, Smp.DATA_OFFSET);
        directedGuid = sender.guid();
        receive(new MadFrame(MadAddress.DIRECTED, mad));
    }

    private void receive(MadFrame frame) {
        if (!driver.receive(frame)) {
            actions.add("left to others");
        }
    }

    private static String answer(MadFrame frame) {
        byte[] mad = frame.mad();
        boolean isDirected = frame.peer().equals(MadAddress.DIRECTED);
        return String.format(
                "%s %s, TID 0x%x, status 0x%02x: %s",
                MadHeader.method(mad) == Method.GET_RESP ? "GetResp" : "method " + MadHeader.method(mad),
                isDirected
                        ? "by directed route, D=" + MadHeader.DIRECTION.get(mad, 0)
                        : "to LID " + frame.peer().lid(),
                MadHeader.tid(mad),
                MadHeader.status(mad),
                smInfoText(SmInfo.TYPE.read(mad, Smp.DATA_OFFSET)));
    }

    private static String smInfoText(SmInfo info) {
        return String.format(
                "%x/%d/%s SM_Key 0x%x ActCount %d",
                info.guid(), info.priority(), SmState.of(info), info.get(SmInfo.SM_KEY), info.get(SmInfo.ACT_COUNT));
    }

    private String others() {
        String others = driver.state().others().stream()
                .map(sm -> String.format("%x/%d/%s", sm.guid(), sm.priority(), sm.state()))
                .sorted()
                .collect(Collectors.joining(", "));
        return others.isEmpty() ? "" : ", knows " + others;
    }

    /** Returns the recorded lines; equal consecutive lines become one line with their number. */
    private List<String> countedLines() {
        List<String> lines = new ArrayList<>();
        for (int i = 0, next; i < actions.size(); i = next) {
            next = i + 1;
            while (next < actions.size() && actions.get(next).equals(actions.get(i))) {
                next++;
            }
            lines.add((next - i > 1 ? next - i + " x " : "") + actions.get(i));
        }
        return lines;
    }
}
