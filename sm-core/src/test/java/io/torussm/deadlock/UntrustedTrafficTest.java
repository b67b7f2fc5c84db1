package io.torussm.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.PlanSketch;
import io.torussm.routing.RoutingOptions;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Certificates of traffic that the checker has not walked, and whole proofs. The fabric is a ring of five. */
class UntrustedTrafficTest {
    private final DeadlockChecker checker = new DeadlockChecker(1);
    private final PlanSketch sketch = DatelineRouter.route(TorusSketch.of(5, 1, 1, 1, 1));
    private final Plan plan = sketch.plan();

    private record Traffic(SlUsage traffic, DestinationGroups groups, RoutingOptions options)
            implements StatedTraffic {}

    /** Traffic whose channels all have number 0. */
    private record EqualNumbers(SlUsage traffic, DestinationGroups groups, RoutingOptions options)
            implements StatedTraffic {
        @Override
        public int[] numbering(ChannelDependencyGraph unicast, @Nullable MulticastDependencies groupTraffic) {
            return new int[unicast.size()];
        }
    }

    /** Returns the certificate of the traffic that a source states for a plan. */
    private Certificate proof(Plan of, RoutingOptions options, Function<Channels, SlUsage> source) {
        DeadlockChecker.Proof proof = checker.prove(
                of,
                options,
                (channels, lfts) ->
                        new Traffic(source.apply(channels), DestinationGroups.of(channels, lfts, 1), options),
                DeadlockChecker.TreeSource.NONE);
        return (Certificate) proof.verdict();
    }

    /** Returns the certificate of the plan from a source. */
    private Certificate proof(DeadlockChecker.TrafficSource source) {
        return (Certificate) checker.prove(plan, TestRouting.QOS, source, DeadlockChecker.TreeSource.NONE)
                .verdict();
    }

    private Certificate honestProof(Plan of, RoutingOptions options) {
        return proof(of, options, channels -> checker.traffic(channels.plan, options));
    }

    private Certificate whole(Plan of) {
        return (Certificate) checker.prove(of, TestRouting.QOS).verdict();
    }

    @Test
    void aCertificateStatesWhetherThePlanWasWalked() {
        assertThat(honestProof(plan, TestRouting.QOS).isIncremental()).isTrue();
        assertThat(whole(plan).isIncremental()).isFalse();
    }

    @Test
    void trueTrafficIsConfirmed() {
        Certificate stated = honestProof(plan, TestRouting.QOS);
        assertThat(stated.isSameProof(whole(plan))).isTrue();
        assertThat(stated.fullProofDifference(checker)).isEmpty();
    }

    @Test
    void trafficThatLacksPacketsIsContradicted() {
        Certificate stated = proof(plan, TestRouting.QOS, SlUsage::new);
        Certificate whole = whole(plan);
        assertThat(stated.verify(plan, TestRouting.QOS)).isFalse();
        assertThat(stated.isSameProof(whole)).isFalse();
        assertThat(stated.fullProofDifference(checker))
                .isEqualTo(whole.dependencyCount() + " dependencies between " + whole.channelCount()
                        + " channels, where 0 between 0 were found");
    }

    @Test
    void trafficThatHidesACreditLoopIsContradicted() {
        sketch.rows = (sw, in, out) -> 0;
        Certificate stated = proof(plan, TestRouting.QOS, SlUsage::new);
        assertThat(stated.verify(plan, TestRouting.QOS)).isFalse();
        assertThat(stated.fullProofDifference(checker))
                .isEqualTo(checker.check(plan, TestRouting.QOS).text())
                .startsWith("credit loop of 5 channels");
    }

    /** True traffic, from which no dependencies were made. */
    private record NoDependencies(SlUsage traffic, DestinationGroups groups, RoutingOptions options)
            implements StatedTraffic {
        @Override
        public ChannelDependencyGraph graph() {
            return new ChannelDependencyGraph(traffic, 0);
        }
    }

    @Test
    void dependenciesThatDoNotFollowFromTheTrafficAreContradicted() {
        Certificate stated = proof((channels, lfts) -> new NoDependencies(
                checker.traffic(plan, TestRouting.QOS), DestinationGroups.of(channels, lfts, 1), TestRouting.QOS));
        assertThat(stated.isSameProof(whole(plan))).isFalse();
        assertThat(stated.fullProofDifference(checker)).endsWith(" channels, where 0 between 0 were found");
    }

    @Test
    void equalNumbersAreNoProof() {
        Certificate stated = proof((channels, lfts) -> new EqualNumbers(
                checker.traffic(plan, TestRouting.QOS), DestinationGroups.of(channels, lfts, 1), TestRouting.QOS));
        assertThat(stated.verify(plan, TestRouting.QOS)).isFalse();
    }

    @Test
    void pathsToTheLastLidAreVerified() {
        Certificate certificate = whole(plan);
        assertThat(certificate.verify(plan, TestRouting.QOS)).isTrue();
        sketch.lfts[0][plan.subnet().topLid()] = (byte) 0xff;
        assertThat(certificate.verify(plan, TestRouting.QOS)).isFalse();
    }

    @Test
    void portsOfHostsHaveNoNumbers() {
        Fabric fabric = plan.subnet().fabric();
        Certificate certificate = whole(plan);
        for (int port = fabric.port(fabric.switchCount(), 0); port < fabric.portCount(); port++) {
            assertThat(certificate.number(port, 0)).isEqualTo(Fabric.NONE);
        }
    }

    /** Both of the other proofs have the same traffic. */
    @Test
    void aProofIsForOnePlanWithItsOptions() {
        Certificate stated = honestProof(plan, TestRouting.QOS);
        Plan equalPlan = sketch.plan();
        RoutingOptions otherOptions = TestRouting.qosWithVls(8);
        assertThat(stated.isSameProof(honestProof(equalPlan, TestRouting.QOS))).isFalse();
        assertThat(stated.isSameProof(honestProof(plan, otherOptions))).isFalse();
        assertThat(stated.channelsOf(plan, TestRouting.QOS)).isSameAs(stated.channels());
        assertThat(stated.channelsOf(equalPlan, TestRouting.QOS)).isNull();
        assertThat(stated.channelsOf(plan, otherOptions)).isNull();
    }

    /** The tree does not pass the dateline. */
    @Test
    void aProofWithATreeDiffersFromAProofOfUnicast() {
        sketch.tree = Optional.of(MulticastTree.nearest(plan.subnet().fabric(), 2));
        Plan withTree = sketch.plan();
        Certificate both = whole(withTree);
        assertThat(both.multicast()).isNotNull();
        assertThat(both.graph().dependencyCount()).isEqualTo(both.dependencyCount());
        Certificate unicast = (Certificate) checker.check(withTree, TestRouting.QOS);
        assertThat(unicast.isSameProof(both)).isFalse();
        assertThat(both.isSameProof(unicast)).isFalse();
        assertThat(unicast.groupTraffic()).isNull();
        assertThat(unicast.graph()).isSameAs(unicast.unicast());
    }

    @Test
    void aProofForHostsSaysThatSwitchPortsAreNotCovered() {
        assertThat(whole(plan).coversSwitchPorts()).isTrue();
        Certificate ofHosts = whole(plan.forHostsOnly());
        assertThat(ofHosts.coversSwitchPorts()).isFalse();
        assertThat(ofHosts.text()).startsWith("hosts and groups: free").endsWith("; with switch ports 0: not");
    }
}
