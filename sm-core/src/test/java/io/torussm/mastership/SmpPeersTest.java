package io.torussm.mastership;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.mad.Attribute;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeDescription;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Notice;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.VirtualLoop;
import io.torussm.testing.LoggedEvents;
import io.torussm.transport.MKeySource;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import io.torussm.transport.ScriptedTransport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The requests to other SMs as MADs on a scripted wire, and the outcomes of the possible responses. */
class SmpPeersTest {
    private static final long M_KEY = 0x63;
    private static final DrPath PATH = DrPath.of(1, 4, 2);
    private static final SmInfo MASTER =
            SmInfo.TYPE.zero().with(SmInfo.GUID, 0x77).with(SmInfo.SM_STATE, 3);

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private final VirtualLoop loop = new VirtualLoop();
    private final ScriptedTransport wire = new ScriptedTransport();

    /** Contents of responses with status 0; a request of another attribute has no response. */
    private final Map<Integer, Attribute<?>> responses = new HashMap<>();

    /** Status of responses without content, by attribute. */
    private final Map<Integer, Integer> statuses = new HashMap<>();

    private final SmpPeers peers = new SmpPeers(new MadClient(
            wire, loop, MKeySource.fixed(M_KEY), () -> new MadClient.Settings(4, 4, 100, 1), 7, new Unsolicited()));

    SmpPeersTest() {
        wire.onSend = this::respond;
    }

    private static final class Unsolicited implements MadClient.UnsolicitedReceiver {
        @Override
        public void subnetManagement(MadFrame frame) {}

        @Override
        public void subnetAdministration(MadFrame frame) {}

        @Override
        public void portLost(String reason) {}
    }

    private void respond(MadFrame request) {
        int attribute = MadHeader.attributeId(request.mad());
        Attribute<?> content = responses.get(attribute);
        if (content != null || statuses.containsKey(attribute)) {
            byte[] mad = ScriptedTransport.reply(request, statuses.getOrDefault(attribute, MadStatus.OK));
            if (content != null) {
                content.write(mad, Smp.DATA_OFFSET);
            }
            wire.deliver(mad);
        }
    }

    private void runUntilTimeout() {
        loop.runFor(TimeUnit.SECONDS.toNanos(5));
    }

    private byte[] sent(int index) {
        return wire.sent.get(index).mad();
    }

    @ParameterizedTest
    @CsvSource({"true,99", "false,0"})
    void aPollCarriesTheMKeyOnlyIfItMayShowIt(boolean showsKey, long mKey) {
        responses.put(SmInfo.TYPE.id(), MASTER);
        List<SmPeers.Answer> answers = new ArrayList<>();
        peers.poll(PATH, showsKey, answers::add);
        runUntilTimeout();
        assertThat(answers).containsExactly(new SmPeers.Answer(MASTER, false));
        assertThat(MadHeader.method(sent(0))).isEqualTo(Method.GET);
        assertThat(Smp.path(sent(0))).isEqualTo(PATH);
        assertThat(Smp.M_KEY.get(sent(0), 0)).isEqualTo(mKey);
    }

    /** A kernel without an SM responds that nobody handles the class; every other failure may be a busy SM. */
    @ParameterizedTest
    @CsvSource({"0x000c,true", "0x001c,false", ",false"})
    void aPollDistinguishesAHostWithoutAnSm(@Nullable String status, boolean isWithoutSm) {
        if (status != null) {
            statuses.put(SmInfo.TYPE.id(), Integer.decode(status));
        }
        List<SmPeers.Answer> answers = new ArrayList<>();
        peers.poll(PATH, false, answers::add);
        runUntilTimeout();
        assertThat(answers).containsExactly(new SmPeers.Answer(null, isWithoutSm));
    }

    @Test
    void aCancelledPollIsNotSentAgain() {
        List<SmPeers.Answer> answers = new ArrayList<>();
        Runnable cancel = peers.poll(PATH, false, answers::add);
        loop.runFor(0);
        cancel.run();
        runUntilTimeout();
        assertThat(wire.sent).hasSize(1);
        assertThat(answers).isEmpty();
    }

    @Test
    void aLateAnswerToACancelledPollIsIgnored() {
        List<SmPeers.Answer> answers = new ArrayList<>();
        Runnable cancel = peers.poll(PATH, false, answers::add);
        loop.runFor(0);
        cancel.run();
        wire.deliver(ScriptedTransport.reply(wire.lastSent(), MadStatus.OK));
        runUntilTimeout();
        assertThat(answers).isEmpty();
    }

    /** The port of a switch that has an SM is port 0; that of an adapter is the one that received the request. */
    @ParameterizedTest
    @CsvSource({"1,2", "2,0"})
    void identifiesThePortByItsAgent(int nodeType, int port) {
        responses.put(
                NodeInfo.TYPE.id(),
                NodeInfo.TYPE
                        .zero()
                        .with(NodeInfo.NODE_TYPE, nodeType)
                        .with(NodeInfo.LOCAL_PORT_NUM, 2)
                        .with(NodeInfo.PORT_GUID, 0x77));
        responses.put(
                PortInfo.TYPE.id(),
                PortInfo.TYPE
                        .zero()
                        .with(PortInfo.CAPABILITY_MASK, PortInfo.CAP_IS_SM)
                        .with(PortInfo.LID, 9)
                        .with(PortInfo.LMC, 1));
        List<SmPeers.Port> ports = new ArrayList<>();
        peers.identify(PATH, ports::add);
        runUntilTimeout();
        assertThat(ports).containsExactly(new SmPeers.Port(0x77, true, 9, 1));
        assertThat(MadHeader.attributeModifier(sent(1))).isEqualTo(port);
    }

    @Test
    void aPortThatDoesNotAnswerIsUnknown() {
        List<SmPeers.@Nullable Port> ports = new ArrayList<>();
        peers.identify(PATH, ports::add);
        runUntilTimeout();
        responses.put(NodeInfo.TYPE.id(), NodeInfo.TYPE.zero().with(NodeInfo.PORT_GUID, 0x77));
        peers.identify(PATH, ports::add);
        runUntilTimeout();
        assertThat(ports).containsExactly(null, null);
    }

    @Test
    void locatesAnSmAsFarAsItsAgentAnswers() {
        List<SmHost> hosts = new ArrayList<>();
        peers.locate(PATH, hosts::add);
        runUntilTimeout();
        responses.put(NodeDescription.TYPE.id(), NodeDescription.of("host-1"));
        peers.locate(PATH, hosts::add);
        runUntilTimeout();
        responses.put(PortInfo.TYPE.id(), PortInfo.TYPE.zero().with(PortInfo.LID, 9));
        peers.locate(PATH, hosts::add);
        runUntilTimeout();
        assertThat(hosts).containsExactly(SmHost.UNKNOWN, new SmHost("host-1", 0), new SmHost("host-1", 9));
    }

    @ParameterizedTest
    @CsvSource({"0,''", "28,status 0x001c", ",timeout"})
    void aSetReturnsTheReasonOfAFailure(@Nullable Integer status, String problem) {
        if (status != null) {
            responses.put(SmInfo.TYPE.id(), MASTER);
            statuses.put(SmInfo.TYPE.id(), status);
        }
        List<String> problems = new ArrayList<>();
        peers.set(PATH, MASTER, MastershipRules.HANDOVER, problems::add);
        runUntilTimeout();
        assertThat(problems).containsExactly(problem);
        assertThat(MadHeader.method(sent(0))).isEqualTo(Method.SET);
        assertThat(MadHeader.attributeModifier(sent(0))).isEqualTo(MastershipRules.HANDOVER);
        assertThat(Smp.M_KEY.get(sent(0), 0)).isEqualTo(M_KEY);
        assertThat(SmInfo.TYPE.read(sent(0), Smp.DATA_OFFSET)).isEqualTo(MASTER);
    }

    /** IBA 14.4.1: the trap goes to the SM that the local port names as its master, each with another ID. */
    @Test
    void trapsGoToTheMasterOfTheLocalPort() {
        responses.put(
                PortInfo.TYPE.id(),
                PortInfo.TYPE
                        .zero()
                        .with(PortInfo.CAPABILITY_MASK, 0x42)
                        .with(PortInfo.LID, 9)
                        .with(PortInfo.MASTER_SM_LID, 3)
                        .with(PortInfo.MASTER_SM_SL, 2));
        for (int trap = 1; trap <= 2; trap++) {
            peers.trapPriorityChange();
            runUntilTimeout();
            MadFrame last = wire.lastSent();
            assertThat(last.peer()).isEqualTo(new MadAddress(3, 0, 2, 0));
            assertThat(MadHeader.method(last.mad())).isEqualTo(Method.TRAP);
            assertThat(MadHeader.tid(last.mad())).isEqualTo(trap);
            assertThat(Notice.TYPE.read(last.mad(), Smp.DATA_OFFSET)).isEqualTo(Notice.priorityChange(9, 0x42));
        }
        assertThat(wire.sent).hasSize(4);
        assertThat(Smp.path(sent(0))).isEqualTo(DrPath.LOCAL);
        assertThat(log.of(SmEvent.NO_TRAP_144)).isEmpty();
    }

    @Test
    void noTrapIsSentWithoutAKnownMaster() {
        peers.trapPriorityChange();
        runUntilTimeout();
        responses.put(PortInfo.TYPE.id(), PortInfo.TYPE.zero().with(PortInfo.LID, 9));
        peers.trapPriorityChange();
        runUntilTimeout();
        assertThat(log.of(SmEvent.NO_TRAP_144)).hasSize(2);
        assertThat(wire.sent).noneMatch(frame -> MadHeader.method(frame.mad()) == Method.TRAP);
    }
}
