package io.torussm.sim.fault;

import static io.torussm.sim.fault.Bench.EAST_PORT;
import static io.torussm.sim.fault.Bench.HOST;
import static io.torussm.sim.fault.Bench.HOST_GUID;
import static io.torussm.sim.fault.Bench.HOST_PORT;
import static io.torussm.sim.fault.Bench.MIDDLE;
import static io.torussm.sim.fault.Bench.MIDDLE_GUID;
import static io.torussm.sim.fault.Bench.WEST;
import static io.torussm.sim.fault.Bench.WEST_GUID;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.sim.agent.VPortAgent;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FalseValue;
import io.torussm.sim.model.PortCounter;
import io.torussm.sim.model.VPortModel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The effect of each word of the console on the devices, and its repair. */
class FaultConsoleTest {
    private final Bench bench = new Bench();

    @Test
    void unlinksAndRelinksOneCable() {
        assertThat(bench.good("Unlink " + WEST + "[5]")).isEmpty();
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isFalse();
        assertThat(bench.isUp(WEST_GUID, HOST_PORT)).isTrue();
        assertThat(bench.bad("unlink " + WEST + "[5]")).contains("is not linked");
        assertThat(bench.good("relink " + WEST + "[5]")).isEmpty();
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isTrue();
        assertThat(bench.bad("ReLink " + WEST + "[5]")).contains("no previous link stored");
    }

    @Test
    void plugsVirtualPortsInAndOut() {
        DeviceModels models = DeviceModels.PERFECT.with(
                DeviceModels.guid(HOST_GUID),
                model -> model.vendor(vendor -> vendor.with(VPortModel.of(2).enabled())));
        Bench virtual = new Bench(models);
        VPortAgent vports = virtual.fabric.interventions().vports(HOST_GUID, 1);
        virtual.good("VPort " + HOST + "[1] 7 0x99");
        assertThat(vports.info(7).portGuid()).isEqualTo(0x99);
        virtual.good("VPort " + HOST + "[1] 7");
        assertThat(vports.info(7).portGuid()).isEqualTo(vports.usualGuid(7));
        virtual.good("NoVPort " + HOST + "[1] 7");
        assertThat(vports.has(7)).isFalse();
        assertThat(virtual.bad("NoVPort " + HOST + "[1] 7")).contains("no vport 7");
        assertThat(bench.bad("VPort " + HOST + "[1] 7")).contains("no virtual ports");
    }

    @Test
    void unlinksAndRelinksAllCablesOfANode() {
        bench.good("Unlink " + MIDDLE);
        assertThat(bench.isUp(MIDDLE_GUID, EAST_PORT)).isFalse();
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isFalse();
        assertThat(bench.console.faults().broken()).hasSize(3);
        bench.good("ReLink " + MIDDLE);
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isTrue();
        assertThat(bench.console.faults().broken()).isEmpty();
    }

    @Test
    void plugsACableIntoOtherPorts() {
        String link = "Link " + WEST + "[1] " + MIDDLE + "[2]";
        bench.good(link);
        assertThat(bench.isUp(WEST_GUID, 1)).isTrue();
        assertThat(bench.good("Dump " + WEST)).contains("[1]\t\"S-0000000000200010\"[2]");
        assertThat(bench.bad(link)).contains("already connected");
        bench.good("Unlink " + WEST + "[5]");
        bench.good("Link " + WEST + "[5] " + MIDDLE + "[1]");
        assertThat(bench.bad("ReLink " + MIDDLE + "[6]")).contains("already connected");
        assertThat(bench.isUp(MIDDLE_GUID, 6)).isFalse();
        assertThat(bench.isUp(MIDDLE_GUID, 1)).isTrue();
    }

    @Test
    void clearForgetsProgrammedTables() {
        bench.good("Baselid " + HOST + "[1] 17 1");
        assertThat(bench.fabric.portInfo(HOST_GUID, 1).get(PortInfo.LID)).isEqualTo(17);
        assertThat(bench.fabric.portInfo(HOST_GUID, 1).get(PortInfo.LMC)).isEqualTo(1);
        bench.good("Clear " + HOST);
        assertThat(bench.fabric.portInfo(HOST_GUID, 1).get(PortInfo.LID)).isZero();
        assertThat(bench.isUp(HOST_GUID, 1)).isFalse();
        bench.good("ReLink " + HOST + "[1]");
        assertThat(bench.isUp(HOST_GUID, 1)).isTrue();
    }

    @Test
    void showsOtherGuids() {
        bench.good("Guid " + WEST + " 0x77");
        assertThat(bench.fabric.interventions().nodeInfo(WEST_GUID, 0).get(NodeInfo.NODE_GUID))
                .isEqualTo(0x77);
        bench.good("Guid " + HOST + "[1] 0x78");
        assertThat(bench.fabric.interventions().nodeInfo(HOST_GUID, 1).get(NodeInfo.PORT_GUID))
                .isEqualTo(0x78);
        assertThat(bench.fabric.guids(HOST_GUID, 1)[0]).isEqualTo(0x78);
        assertThat(bench.good("Broken")).contains("Guid " + WEST + " shown as 0x0000000000000077");
        bench.good("Heal");
        assertThat(bench.fabric.interventions().nodeInfo(WEST_GUID, 0).get(NodeInfo.NODE_GUID))
                .isEqualTo(WEST_GUID);
        assertThat(bench.fabric.guids(HOST_GUID, 1)[0]).isNotEqualTo(0x78);
    }

    @Test
    void errorRatesLosePacketsThatComeIn() {
        bench.good("Error " + WEST + "[5] 40");
        assertThat(bench.fabric.interventions().lossInto(WEST_GUID, EAST_PORT)).isEqualTo(0.4);
        assertThat(bench.fabric.interventions().lossInto(MIDDLE_GUID, 6)).isZero();
        assertThat(bench.good("Dump " + WEST)).contains("# err_rate 40");
        bench.good("Error " + WEST + "[5] 0");
        assertThat(bench.fabric.interventions().lossInto(WEST_GUID, EAST_PORT)).isZero();
        assertThat(bench.console.faults().broken()).isEmpty();
        bench.good("Error " + WEST + " 100 21");
        assertThat(bench.fabric.interventions().agent(WEST_GUID))
                .isEqualTo(AgentProfile.CONFORMING.dropping(0x15, AgentProfile.ANY, 1));
        bench.good("Error " + WEST + " 0 PortInfo");
        assertThat(bench.fabric.interventions().agent(WEST_GUID)).isEqualTo(AgentProfile.CONFORMING);
    }

    @Test
    void setsCountersWithinTheirWidth() {
        assertThat(bench.good("PerformanceSet " + WEST + "[5] PortCounters.SymbolErrorCounter=70000"))
                .isEqualTo("S-0000000000200000[5] PortCounters.SymbolErrorCounter has been set to 65535\n");
        assertThat(bench.fabric.portCounters().get(WEST_GUID, EAST_PORT, PortCounter.SYMBOL_ERROR))
                .isEqualTo(65_535);
        bench.good("PerformanceSet " + WEST + "[5] PortCountersExtended.PortMultiCastXmitPkts = 0x10");
        bench.good("PerformanceSet " + WEST + "[5] PortRcvErrorDetails.PortMalformedPacketErrors=3");
        assertThat(bench.good("Counters " + WEST + "[5]"))
                .contains("PortMulticastXmitPkts 16\n")
                .contains("PortMalformedPktErrors 3\n");
        assertThat(bench.bad("PerformanceSet " + WEST + "[5] PortCounters.Nothing=1"))
                .contains("SymbolErrorCounter");
        assertThat(bench.bad("PerformanceSet " + WEST + "[5] Nothing.Nothing=1"))
                .contains("PortRcvErrorDetails");
        assertThat(bench.bad("PerformanceSet " + WEST + "[5] PortCounters.VL15Dropped=x"))
                .contains("not valid integer");
        assertThat(bench.bad("PerformanceSet " + WEST + "[5]")).contains("command does not match");
    }

    @Test
    void countersRiseUntilTheyAreStill() {
        bench.good("Rising " + WEST + "[5] SymbolErrorCounter every 100 ms by 2");
        bench.pass(1_050);
        assertThat(bench.fabric.portCounters().get(WEST_GUID, EAST_PORT, PortCounter.SYMBOL_ERROR))
                .isEqualTo(20);
        assertThat(bench.good("Broken")).contains("Rising " + WEST + "[5] SymbolErrorCounter by 2 every 0.100 s");
        bench.good("Still " + WEST + "[5] SymbolErrorCounter");
        bench.pass(1_000);
        assertThat(bench.fabric.portCounters().get(WEST_GUID, EAST_PORT, PortCounter.SYMBOL_ERROR))
                .isEqualTo(20);
        assertThat(bench.console.faults().broken()).isEmpty();
    }

    @Test
    void powerGoesAndComes() {
        bench.good("Baselid " + HOST + "[1] 17");
        bench.good("Off " + HOST);
        assertThat(bench.isUp(WEST_GUID, HOST_PORT)).isFalse();
        bench.good("On " + HOST);
        assertThat(bench.isUp(WEST_GUID, HOST_PORT)).isTrue();
        assertThat(bench.fabric.portInfo(HOST_GUID, 1).get(PortInfo.LID)).isZero();
        assertThat(bench.bad("On " + HOST)).contains("has power");
        bench.good("Baselid " + HOST + "[1] 17");
        bench.good("Reboot " + HOST);
        assertThat(bench.fabric.portInfo(HOST_GUID, 1).get(PortInfo.LID)).isZero();
        assertThat(bench.console.faults().broken()).isEmpty();
    }

    @Test
    void agentsTellLies() {
        bench.good("Lie " + WEST + " SwitchInfo LinearFDBCap 48 0.5");
        bench.good("Lie " + WEST + " NodeInfo 3 255");
        assertThat(bench.fabric.interventions().agent(WEST_GUID).lies())
                .containsExactlyInAnyOrder(
                        FalseValue.of(SwitchInfo.TYPE.id(), SwitchInfo.LINEAR_FDB_CAP, 48)
                                .with(0.5),
                        FalseValue.ofByte(NodeInfo.TYPE.id(), 3, 255));
        assertThat(bench.bad("Lie " + WEST + " SwitchInfo LinearFDBCup 48")).contains("no field LinearFDBCup");
        assertThat(bench.bad("Lie " + WEST + " SwitchInfo 64 48")).contains("byte from 0 to 63");
        assertThat(bench.bad("Lie " + WEST + " any 3 48")).contains("has no field 3");
        assertThat(bench.bad("Lie " + WEST + " NodeInfo 3 256")).contains("256");
        assertThat(bench.bad("Lie " + WEST + " NodeInfo 3 1 2")).contains("0 to 1");
        assertThat(bench.bad("Lie " + WEST + " NodeInfo 3 1 1 1")).contains("Lie \"nodeid\"");
        bench.good("Heal");
        assertThat(bench.fabric.interventions().agent(WEST_GUID)).isEqualTo(AgentProfile.CONFORMING);
    }

    @Test
    void agentsMisbehaveInSeveralWaysAtOnce() {
        bench.good("Busy " + WEST + " 0.5");
        bench.good("Refuse " + WEST + " VLArbitrationTable Set 0x0004 0.25");
        bench.good("Drop " + WEST + " PortInfo Get");
        bench.good("Disobey " + WEST + " SwitchInfo");
        bench.good("Speeds " + WEST + " hidden");
        AgentProfile agent = bench.fabric.interventions().agent(WEST_GUID);
        assertThat(agent.rules())
                .extracting(AgentProfile.Rule::action)
                .containsExactly(
                        AgentProfile.Action.DISOBEY,
                        AgentProfile.Action.DROP,
                        AgentProfile.Action.REFUSE,
                        AgentProfile.Action.REFUSE);
        assertThat(agent.speeds()).isEqualTo(AgentProfile.ExtendedSpeeds.HIDDEN);
        bench.good("Deaf " + WEST);
        assertThat(bench.console.faults().broken()).hasSize(6);
        bench.good("Obey " + WEST);
        assertThat(bench.fabric.interventions().agent(WEST_GUID)).isEqualTo(AgentProfile.CONFORMING);
        assertThat(bench.console.faults().broken()).isEmpty();
    }

    @Test
    void everyFaultCanBeForATime() {
        bench.good("Unlink " + WEST + "[5] for 10 s");
        bench.good("Deaf " + MIDDLE + " for 500ms");
        bench.pass(600);
        assertThat(bench.fabric.interventions().agent(MIDDLE_GUID)).isEqualTo(AgentProfile.CONFORMING);
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isFalse();
        bench.pass(9_500);
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isTrue();
        assertThat(bench.console.faults().broken()).isEmpty();
        assertThat(bench.bad("Broken for 1 s")).contains("nothing to mend");
    }

    @Test
    void aNewFaultIsNotMendedByAnEarlierTime() {
        bench.good("Unlink " + WEST + "[5] for 10 s");
        bench.pass(5_000);
        bench.good("ReLink " + WEST + "[5]");
        bench.good("Unlink " + WEST + "[5]");
        bench.pass(60_000);
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isFalse();
    }

    @Test
    void linksBounceNowOrAtARequest() {
        bench.good("Bounce " + WEST + "[5] 2 s");
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isFalse();
        bench.pass(2_000);
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isTrue();
        bench.good("Bounce " + WEST + "[5] 2 s at PortInfo Set 3");
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isTrue();
    }

    @Test
    void losesOnACableAndEverywhere() {
        bench.good("Loss " + WEST + "[5] 0.1");
        assertThat(bench.fabric.interventions().lossInto(WEST_GUID, EAST_PORT)).isEqualTo(0.1);
        assertThat(bench.fabric.interventions().lossInto(MIDDLE_GUID, 6)).isEqualTo(0.1);
        bench.good("Loss 0.01");
        assertThat(bench.good("Broken")).contains("Loss everywhere with probability 0.01");
        bench.good("Heal");
        assertThat(bench.fabric.interventions().lossInto(WEST_GUID, EAST_PORT)).isZero();
        assertThat(bench.bad("Loss")).contains("probability is missing").contains("write Loss");
    }

    @Test
    void describesAndDescribesAsBefore() {
        bench.good("Describe " + WEST + " \"a switch for 10 s\"");
        assertThat(bench.fabric.interventions().description(WEST_GUID)).isEqualTo("a switch for 10 s");
        bench.good("Heal");
        assertThat(bench.fabric.interventions().description(WEST_GUID)).isEqualTo("sw-0-0-0");
        assertThat(bench.bad("Describe " + WEST + " \"" + "x".repeat(65) + "\""))
                .contains("64 bytes");
    }

    @Test
    void dumpsAsIbSimDoes() {
        bench.good("Baselid " + HOST + "[1] 11");
        assertThat(bench.good("Dump"))
                .startsWith("# Net status - ")
                .contains("\nSwitch 7 \"S-0000000000200000\"\tnodeguid 200000\tsysimgguid 200000\n")
                .contains("#\tlinearcap 49152 FDBtop 0 portchange 0\n")
                .contains("lid 11 lmc 0 smlid 0  4x 10.0G Init/LinkUp\n")
                .endsWith("#  dumped 6 nodes\n");
        assertThat(bench.bad("Dump \"absent\"")).contains("nodeid \"absent\" (absent) not found");
    }

    @Test
    void switchesNoticeThatALidWasChanged() {
        assertThat(bench.fabric.switchInfo(WEST_GUID).get(SwitchInfo.PORT_STATE_CHANGE))
                .isZero();
        bench.good("Baselid " + HOST + "[1] 11");
        assertThat(bench.fabric.switchInfo(WEST_GUID).get(SwitchInfo.PORT_STATE_CHANGE))
                .isOne();
        assertThat(bench.bad("Baselid " + WEST + "[5] 11")).contains("at port 0");
        assertThat(bench.bad("Baselid " + HOST + "[1] 0xc000")).contains("not in the range");
    }

    @Test
    void routesSayWhereTheyEnd() {
        assertThat(bench.bad("Route 11 12")).contains("lid unconfigured");
        bench.good("Baselid " + HOST + "[1] 11");
        bench.good("Baselid \"@host-0-0-1-0\"[1] 12");
        assertThat(bench.bad("Route 11 12"))
                .contains("From node " + HOST + " port 1 lid 11")
                .contains("Bad out port");
        assertThat(bench.good("Route 11 11")).contains("To node " + HOST + " port 1 lid 11");
    }

    @Test
    void nodesAreKnownByNameDescriptionAndGuid() {
        bench.good("Unlink \"@sw-0-0-0\"[5]");
        bench.good("ReLink \"0x200000\"[5]");
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isTrue();
    }

    @Test
    void namesNeedNoQuotesWhereShellsTakeThemAway() {
        bench.good("Unlink S-0000000000200000[5]");
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isFalse();
        bench.good("Link S-0000000000200000[5] S-0000000000200010[6]");
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isTrue();
        bench.good("Loss 0.5");
        assertThat(bench.good("Broken")).contains("Loss everywhere");
    }

    @Test
    void clientsAreListedAndSentAway() {
        List<Integer> sentAway = new ArrayList<>();
        Bench served = new Bench(new Clients() {
            @Override
            public List<String> attached() {
                return List.of("Client 3: pid 17 connected at \"H-1\" port 0x1, lid 4, qp 1 SM");
            }

            @Override
            public boolean disconnect(int number) {
                sentAway.add(number);
                return number == 3;
            }
        });
        assertThat(served.good("Attached")).startsWith("Client 3: pid 17");
        served.good("X 3");
        assertThat(served.bad("X 4")).contains("bad clientid 4");
        assertThat(sentAway).containsExactly(3, 4);
    }

    @Test
    void trafficRunsAndIsCounted() {
        bench.good("Traffic 1000");
        bench.pass(1_000);
        assertThat(bench.good("Traffic")).contains("1000 packets a second; sent 0, arrived 0, lost 0, not sent ");
        bench.good("Traffic 0");
        bench.good("Traffic anew");
        assertThat(bench.good("Traffic")).contains("not sent 0\n");
    }

    @Test
    void remembersWhatChangedAndWhatFailed() {
        bench.good("Unlink " + WEST + "[5]");
        bench.good("Dump");
        bench.bad("nonsense");
        assertThat(bench.happened).containsExactly("0 Unlink " + WEST + "[5]", "0 nonsense");
        assertThat(bench.good("Log")).contains("test: nonsense  # command 'nonsense' unknown");
    }

    @Test
    void linesThatAreNoneDoNothing() {
        assertThat(bench.good("")).isEmpty();
        assertThat(bench.good("# a comment")).isEqualTo("# a comment\n");
        assertThat(bench.good("Start network")).isEmpty();
        assertThat(bench.good("Verbose 1")).isEqualTo("simulator verbose level is 1\n");
        assertThat(bench.good("?")).contains("ReLink \"nodeid\"[port]").isEqualTo(bench.good("help"));
        assertThat(bench.console.run("Quit", "test").isEnd()).isTrue();
        assertThat(bench.console.run("Wait 3", "test").pauseNs()).isEqualTo(TimeUnit.SECONDS.toNanos(3));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Unlin " + WEST + "[5]",
                "Unlink",
                "Unlink absent[5]",
                "Unlink " + WEST + "[0]",
                "Unlink " + WEST + "[11]",
                "Unlink " + WEST + "[x]",
                "Unlink " + WEST + "[5",
                "Unlink " + WEST + "[5] more",
                "Unlink \"S-00",
                "Unlink " + WEST + "[5] for ever",
                "Unlink " + WEST + "[5] for 999999999 d",
                "Link " + WEST + "[1]",
                "Link " + WEST + "[1] " + MIDDLE,
                "Error " + WEST + "[5]",
                "Error " + WEST + "[5] 101",
                "Error " + WEST + "[5] 10 Nothing",
                "Guid " + WEST + " x",
                "Wait 0",
                "Wait",
                "Busy " + WEST + " 1.5",
                "Speeds " + WEST + " fast",
                "Rising " + WEST + "[5] SymbolErrorCounter every 0 ms",
                "Rising " + WEST + "[5] Nothing every 1 s",
                "Route 1",
                "Traffic 1000000000",
                "X many"
            })
    void badLinesSayWhyAndBreakNothing(String line) {
        bench.bad(line);
        assertThat(bench.console.faults().broken()).isEmpty();
    }

    @Test
    void linesThatAreTooLongAreRefused() {
        assertThat(bench.bad("Unlink " + "x".repeat(5_000))).contains("longer than 4095");
    }
}
