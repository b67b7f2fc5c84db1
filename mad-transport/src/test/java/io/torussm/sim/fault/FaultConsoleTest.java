package io.torussm.sim.fault;

import static io.torussm.sim.fault.ConsoleHarness.EAST_PORT;
import static io.torussm.sim.fault.ConsoleHarness.HOST;
import static io.torussm.sim.fault.ConsoleHarness.HOST_GUID;
import static io.torussm.sim.fault.ConsoleHarness.HOST_PORT;
import static io.torussm.sim.fault.ConsoleHarness.MIDDLE;
import static io.torussm.sim.fault.ConsoleHarness.MIDDLE_GUID;
import static io.torussm.sim.fault.ConsoleHarness.WEST;
import static io.torussm.sim.fault.ConsoleHarness.WEST_GUID;
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
    private final ConsoleHarness bench = new ConsoleHarness();

    @Test
    void unlinksAndRelinksOneCable() {
        assertThat(bench.expectSuccess("Unlink " + WEST + "[5]")).isEmpty();
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isFalse();
        assertThat(bench.isUp(WEST_GUID, HOST_PORT)).isTrue();
        assertThat(bench.expectFailure("unlink " + WEST + "[5]")).contains("is not linked");
        assertThat(bench.expectSuccess("relink " + WEST + "[5]")).isEmpty();
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isTrue();
        assertThat(bench.expectFailure("ReLink " + WEST + "[5]")).contains("no previous link stored");
    }

    @Test
    void plugsVirtualPortsInAndOut() {
        DeviceModels models = DeviceModels.PERFECT.with(
                DeviceModels.byGuid(HOST_GUID),
                model -> model.vendor(vendor -> vendor.with(VPortModel.of(2).enabled())));
        ConsoleHarness virtual = new ConsoleHarness(models);
        VPortAgent vports = virtual.fabric.interventions().vports(HOST_GUID, 1);
        virtual.expectSuccess("VPort " + HOST + "[1] 7 0x99");
        assertThat(vports.info(7).portGuid()).isEqualTo(0x99);
        virtual.expectSuccess("VPort " + HOST + "[1] 7");
        assertThat(vports.info(7).portGuid()).isEqualTo(vports.defaultGuid(7));
        virtual.expectSuccess("NoVPort " + HOST + "[1] 7");
        assertThat(vports.hasVPort(7)).isFalse();
        assertThat(virtual.expectFailure("NoVPort " + HOST + "[1] 7")).contains("no vport 7");
        assertThat(bench.expectFailure("VPort " + HOST + "[1] 7")).contains("no virtual ports");
    }

    @Test
    void unlinksAndRelinksAllCablesOfANode() {
        bench.expectSuccess("Unlink " + MIDDLE);
        assertThat(bench.isUp(MIDDLE_GUID, EAST_PORT)).isFalse();
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isFalse();
        assertThat(bench.console.faults().activeFaults()).hasSize(3);
        bench.expectSuccess("ReLink " + MIDDLE);
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isTrue();
        assertThat(bench.console.faults().activeFaults()).isEmpty();
    }

    @Test
    void plugsACableIntoOtherPorts() {
        String link = "Link " + WEST + "[1] " + MIDDLE + "[2]";
        bench.expectSuccess(link);
        assertThat(bench.isUp(WEST_GUID, 1)).isTrue();
        assertThat(bench.expectSuccess("Dump " + WEST)).contains("[1]\t\"S-0000000000200010\"[2]");
        assertThat(bench.expectFailure(link)).contains("already connected");
        bench.expectSuccess("Unlink " + WEST + "[5]");
        bench.expectSuccess("Link " + WEST + "[5] " + MIDDLE + "[1]");
        assertThat(bench.expectFailure("ReLink " + MIDDLE + "[6]")).contains("already connected");
        assertThat(bench.isUp(MIDDLE_GUID, 6)).isFalse();
        assertThat(bench.isUp(MIDDLE_GUID, 1)).isTrue();
    }

    @Test
    void clearForgetsProgrammedTables() {
        bench.expectSuccess("Baselid " + HOST + "[1] 17 1");
        assertThat(bench.fabric.portInfo(HOST_GUID, 1).get(PortInfo.LID)).isEqualTo(17);
        assertThat(bench.fabric.portInfo(HOST_GUID, 1).get(PortInfo.LMC)).isEqualTo(1);
        bench.expectSuccess("Clear " + HOST);
        assertThat(bench.fabric.portInfo(HOST_GUID, 1).get(PortInfo.LID)).isZero();
        assertThat(bench.isUp(HOST_GUID, 1)).isFalse();
        bench.expectSuccess("ReLink " + HOST + "[1]");
        assertThat(bench.isUp(HOST_GUID, 1)).isTrue();
    }

    @Test
    void showsOtherGuids() {
        bench.expectSuccess("Guid " + WEST + " 0x77");
        assertThat(bench.fabric.interventions().nodeInfo(WEST_GUID, 0).get(NodeInfo.NODE_GUID))
                .isEqualTo(0x77);
        bench.expectSuccess("Guid " + HOST + "[1] 0x78");
        assertThat(bench.fabric.interventions().nodeInfo(HOST_GUID, 1).get(NodeInfo.PORT_GUID))
                .isEqualTo(0x78);
        assertThat(bench.fabric.guids(HOST_GUID, 1)[0]).isEqualTo(0x78);
        assertThat(bench.expectSuccess("Broken")).contains("Guid " + WEST + " shown as 0x0000000000000077");
        bench.expectSuccess("Heal");
        assertThat(bench.fabric.interventions().nodeInfo(WEST_GUID, 0).get(NodeInfo.NODE_GUID))
                .isEqualTo(WEST_GUID);
        assertThat(bench.fabric.guids(HOST_GUID, 1)[0]).isNotEqualTo(0x78);
    }

    @Test
    void errorRatesLosePacketsThatComeIn() {
        bench.expectSuccess("Error " + WEST + "[5] 40");
        assertThat(bench.fabric.interventions().lossInto(WEST_GUID, EAST_PORT)).isEqualTo(0.4);
        assertThat(bench.fabric.interventions().lossInto(MIDDLE_GUID, 6)).isZero();
        assertThat(bench.expectSuccess("Dump " + WEST)).contains("# err_rate 40");
        bench.expectSuccess("Error " + WEST + "[5] 0");
        assertThat(bench.fabric.interventions().lossInto(WEST_GUID, EAST_PORT)).isZero();
        assertThat(bench.console.faults().activeFaults()).isEmpty();
        bench.expectSuccess("Error " + WEST + " 100 21");
        assertThat(bench.fabric.interventions().agent(WEST_GUID))
                .isEqualTo(AgentProfile.CONFORMING.dropping(0x15, AgentProfile.ANY, 1));
        bench.expectSuccess("Error " + WEST + " 0 PortInfo");
        assertThat(bench.fabric.interventions().agent(WEST_GUID)).isEqualTo(AgentProfile.CONFORMING);
    }

    @Test
    void setsCountersWithinTheirWidth() {
        assertThat(bench.expectSuccess("PerformanceSet " + WEST + "[5] PortCounters.SymbolErrorCounter=70000"))
                .isEqualTo("S-0000000000200000[5] PortCounters.SymbolErrorCounter has been set to 65535\n");
        assertThat(bench.fabric.portCounters().get(WEST_GUID, EAST_PORT, PortCounter.SYMBOL_ERROR))
                .isEqualTo(65_535);
        bench.expectSuccess("PerformanceSet " + WEST + "[5] PortCountersExtended.PortMultiCastXmitPkts = 0x10");
        bench.expectSuccess("PerformanceSet " + WEST + "[5] PortRcvErrorDetails.PortMalformedPacketErrors=3");
        assertThat(bench.expectSuccess("Counters " + WEST + "[5]"))
                .contains("PortMulticastXmitPkts 16\n")
                .contains("PortMalformedPktErrors 3\n");
        assertThat(bench.expectFailure("PerformanceSet " + WEST + "[5] PortCounters.Nothing=1"))
                .contains("SymbolErrorCounter");
        assertThat(bench.expectFailure("PerformanceSet " + WEST + "[5] Nothing.Nothing=1"))
                .contains("PortRcvErrorDetails");
        assertThat(bench.expectFailure("PerformanceSet " + WEST + "[5] PortCounters.VL15Dropped=x"))
                .contains("not valid integer");
        assertThat(bench.expectFailure("PerformanceSet " + WEST + "[5]")).contains("command does not match");
    }

    @Test
    void countersRiseUntilTheyAreStill() {
        bench.expectSuccess("Rising " + WEST + "[5] SymbolErrorCounter every 100 ms by 2");
        bench.runMs(1_050);
        assertThat(bench.fabric.portCounters().get(WEST_GUID, EAST_PORT, PortCounter.SYMBOL_ERROR))
                .isEqualTo(20);
        assertThat(bench.expectSuccess("Broken"))
                .contains("Rising " + WEST + "[5] SymbolErrorCounter by 2 every 0.100 s");
        bench.expectSuccess("Still " + WEST + "[5] SymbolErrorCounter");
        bench.runMs(1_000);
        assertThat(bench.fabric.portCounters().get(WEST_GUID, EAST_PORT, PortCounter.SYMBOL_ERROR))
                .isEqualTo(20);
        assertThat(bench.console.faults().activeFaults()).isEmpty();
    }

    @Test
    void powerGoesAndComes() {
        bench.expectSuccess("Baselid " + HOST + "[1] 17");
        bench.expectSuccess("Off " + HOST);
        assertThat(bench.isUp(WEST_GUID, HOST_PORT)).isFalse();
        bench.expectSuccess("On " + HOST);
        assertThat(bench.isUp(WEST_GUID, HOST_PORT)).isTrue();
        assertThat(bench.fabric.portInfo(HOST_GUID, 1).get(PortInfo.LID)).isZero();
        assertThat(bench.expectFailure("On " + HOST)).contains("has power");
        bench.expectSuccess("Baselid " + HOST + "[1] 17");
        bench.expectSuccess("Reboot " + HOST);
        assertThat(bench.fabric.portInfo(HOST_GUID, 1).get(PortInfo.LID)).isZero();
        assertThat(bench.console.faults().activeFaults()).isEmpty();
    }

    @Test
    void agentsTellLies() {
        bench.expectSuccess("Lie " + WEST + " SwitchInfo LinearFDBCap 48 0.5");
        bench.expectSuccess("Lie " + WEST + " NodeInfo 3 255");
        assertThat(bench.fabric.interventions().agent(WEST_GUID).falseValues())
                .containsExactlyInAnyOrder(
                        FalseValue.of(SwitchInfo.TYPE.id(), SwitchInfo.LINEAR_FDB_CAP, 48)
                                .with(0.5),
                        FalseValue.ofByte(NodeInfo.TYPE.id(), 3, 255));
        assertThat(bench.expectFailure("Lie " + WEST + " SwitchInfo LinearFDBCup 48"))
                .contains("no field LinearFDBCup");
        assertThat(bench.expectFailure("Lie " + WEST + " SwitchInfo 64 48")).contains("byte from 0 to 63");
        assertThat(bench.expectFailure("Lie " + WEST + " any 3 48")).contains("has no field 3");
        assertThat(bench.expectFailure("Lie " + WEST + " NodeInfo 3 256")).contains("256");
        assertThat(bench.expectFailure("Lie " + WEST + " NodeInfo 3 1 2")).contains("0 to 1");
        assertThat(bench.expectFailure("Lie " + WEST + " NodeInfo 3 1 1 1")).contains("Lie \"nodeid\"");
        bench.expectSuccess("Heal");
        assertThat(bench.fabric.interventions().agent(WEST_GUID)).isEqualTo(AgentProfile.CONFORMING);
    }

    @Test
    void agentsMisbehaveInSeveralWaysAtOnce() {
        bench.expectSuccess("Busy " + WEST + " 0.5");
        bench.expectSuccess("Refuse " + WEST + " VLArbitrationTable Set 0x0004 0.25");
        bench.expectSuccess("Drop " + WEST + " PortInfo Get");
        bench.expectSuccess("Disobey " + WEST + " SwitchInfo");
        bench.expectSuccess("Speeds " + WEST + " hidden");
        AgentProfile agent = bench.fabric.interventions().agent(WEST_GUID);
        assertThat(agent.rules())
                .extracting(AgentProfile.Rule::action)
                .containsExactly(
                        AgentProfile.Action.IGNORE_SET,
                        AgentProfile.Action.DROP,
                        AgentProfile.Action.REFUSE,
                        AgentProfile.Action.REFUSE);
        assertThat(agent.speeds()).isEqualTo(AgentProfile.ExtendedSpeeds.HIDDEN);
        bench.expectSuccess("Deaf " + WEST);
        assertThat(bench.console.faults().activeFaults()).hasSize(6);
        bench.expectSuccess("Obey " + WEST);
        assertThat(bench.fabric.interventions().agent(WEST_GUID)).isEqualTo(AgentProfile.CONFORMING);
        assertThat(bench.console.faults().activeFaults()).isEmpty();
    }

    @Test
    void everyFaultCanBeForATime() {
        bench.expectSuccess("Unlink " + WEST + "[5] for 10 s");
        bench.expectSuccess("Deaf " + MIDDLE + " for 500ms");
        bench.runMs(600);
        assertThat(bench.fabric.interventions().agent(MIDDLE_GUID)).isEqualTo(AgentProfile.CONFORMING);
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isFalse();
        bench.runMs(9_500);
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isTrue();
        assertThat(bench.console.faults().activeFaults()).isEmpty();
        assertThat(bench.expectFailure("Broken for 1 s")).contains("nothing to mend");
    }

    @Test
    void aNewFaultIsNotMendedByAnEarlierTime() {
        bench.expectSuccess("Unlink " + WEST + "[5] for 10 s");
        bench.runMs(5_000);
        bench.expectSuccess("ReLink " + WEST + "[5]");
        bench.expectSuccess("Unlink " + WEST + "[5]");
        bench.runMs(60_000);
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isFalse();
    }

    @Test
    void linksBounceNowOrAtARequest() {
        bench.expectSuccess("Bounce " + WEST + "[5] 2 s");
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isFalse();
        bench.runMs(2_000);
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isTrue();
        bench.expectSuccess("Bounce " + WEST + "[5] 2 s at PortInfo Set 3");
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isTrue();
    }

    @Test
    void losesOnACableAndEverywhere() {
        bench.expectSuccess("Loss " + WEST + "[5] 0.1");
        assertThat(bench.fabric.interventions().lossInto(WEST_GUID, EAST_PORT)).isEqualTo(0.1);
        assertThat(bench.fabric.interventions().lossInto(MIDDLE_GUID, 6)).isEqualTo(0.1);
        bench.expectSuccess("Loss 0.01");
        assertThat(bench.expectSuccess("Broken")).contains("Loss everywhere with probability 0.01");
        bench.expectSuccess("Heal");
        assertThat(bench.fabric.interventions().lossInto(WEST_GUID, EAST_PORT)).isZero();
        assertThat(bench.expectFailure("Loss"))
                .contains("probability is missing")
                .contains("write Loss");
    }

    @Test
    void describesAndDescribesAsBefore() {
        bench.expectSuccess("Describe " + WEST + " \"a switch for 10 s\"");
        assertThat(bench.fabric.interventions().description(WEST_GUID)).isEqualTo("a switch for 10 s");
        bench.expectSuccess("Heal");
        assertThat(bench.fabric.interventions().description(WEST_GUID)).isEqualTo("sw-0-0-0");
        assertThat(bench.expectFailure("Describe " + WEST + " \"" + "x".repeat(65) + "\""))
                .contains("64 bytes");
    }

    @Test
    void dumpsAsIbSimDoes() {
        bench.expectSuccess("Baselid " + HOST + "[1] 11");
        assertThat(bench.expectSuccess("Dump"))
                .startsWith("# Net status - ")
                .contains("\nSwitch 7 \"S-0000000000200000\"\tnodeguid 200000\tsysimgguid 200000\n")
                .contains("#\tlinearcap 49152 FDBtop 0 portchange 0\n")
                .contains("lid 11 lmc 0 smlid 0  4x 10.0G Init/LinkUp\n")
                .endsWith("#  dumped 6 nodes\n");
        assertThat(bench.expectFailure("Dump \"absent\"")).contains("nodeid \"absent\" (absent) not found");
    }

    @Test
    void switchesNoticeThatALidWasChanged() {
        assertThat(bench.fabric.switchInfo(WEST_GUID).get(SwitchInfo.PORT_STATE_CHANGE))
                .isZero();
        bench.expectSuccess("Baselid " + HOST + "[1] 11");
        assertThat(bench.fabric.switchInfo(WEST_GUID).get(SwitchInfo.PORT_STATE_CHANGE))
                .isOne();
        assertThat(bench.expectFailure("Baselid " + WEST + "[5] 11")).contains("at port 0");
        assertThat(bench.expectFailure("Baselid " + HOST + "[1] 0xc000")).contains("not in the range");
    }

    @Test
    void routesSayWhereTheyEnd() {
        assertThat(bench.expectFailure("Route 11 12")).contains("lid unconfigured");
        bench.expectSuccess("Baselid " + HOST + "[1] 11");
        bench.expectSuccess("Baselid \"@host-0-0-1-0\"[1] 12");
        assertThat(bench.expectFailure("Route 11 12"))
                .contains("From node " + HOST + " port 1 lid 11")
                .contains("Bad out port");
        assertThat(bench.expectSuccess("Route 11 11")).contains("To node " + HOST + " port 1 lid 11");
    }

    @Test
    void nodesAreKnownByNameDescriptionAndGuid() {
        bench.expectSuccess("Unlink \"@sw-0-0-0\"[5]");
        bench.expectSuccess("ReLink \"0x200000\"[5]");
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isTrue();
    }

    @Test
    void namesNeedNoQuotesWhereShellsTakeThemAway() {
        bench.expectSuccess("Unlink S-0000000000200000[5]");
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isFalse();
        bench.expectSuccess("Link S-0000000000200000[5] S-0000000000200010[6]");
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isTrue();
        bench.expectSuccess("Loss 0.5");
        assertThat(bench.expectSuccess("Broken")).contains("Loss everywhere");
    }

    @Test
    void clientsAreListedAndSentAway() {
        List<Integer> sentAway = new ArrayList<>();
        ConsoleHarness served = new ConsoleHarness(new Clients() {
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
        assertThat(served.expectSuccess("Attached")).startsWith("Client 3: pid 17");
        served.expectSuccess("X 3");
        assertThat(served.expectFailure("X 4")).contains("bad clientid 4");
        assertThat(sentAway).containsExactly(3, 4);
    }

    @Test
    void trafficRunsAndIsCounted() {
        bench.expectSuccess("Traffic 1000");
        bench.runMs(1_000);
        assertThat(bench.expectSuccess("Traffic"))
                .contains("1000 packets a second; sent 0, arrived 0, lost 0, not sent ");
        bench.expectSuccess("Traffic 0");
        bench.expectSuccess("Traffic anew");
        assertThat(bench.expectSuccess("Traffic")).contains("not sent 0\n");
    }

    @Test
    void listsChangesAndFailures() {
        bench.expectSuccess("Unlink " + WEST + "[5]");
        bench.expectSuccess("Dump");
        bench.expectFailure("nonsense");
        assertThat(bench.executedLines).containsExactly("0 Unlink " + WEST + "[5]", "0 nonsense");
        assertThat(bench.expectSuccess("Log")).contains("test: nonsense  # command 'nonsense' unknown");
    }

    @Test
    void linesThatAreNoneDoNothing() {
        assertThat(bench.expectSuccess("")).isEmpty();
        assertThat(bench.expectSuccess("# a comment")).isEqualTo("# a comment\n");
        assertThat(bench.expectSuccess("Start network")).isEmpty();
        assertThat(bench.expectSuccess("Verbose 1")).isEqualTo("simulator verbose level is 1\n");
        assertThat(bench.expectSuccess("?")).contains("ReLink \"nodeid\"[port]").isEqualTo(bench.expectSuccess("help"));
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
        bench.expectFailure(line);
        assertThat(bench.console.faults().activeFaults()).isEmpty();
    }

    @Test
    void linesThatAreTooLongAreRefused() {
        assertThat(bench.expectFailure("Unlink " + "x".repeat(5_000))).contains("longer than 4095");
    }
}
