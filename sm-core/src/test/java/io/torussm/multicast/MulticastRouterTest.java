package io.torussm.multicast;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Gid;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.routing.MulticastTree;
import io.torussm.testing.TorusSketch;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The routes of a group, on a line of switches 0 - 1 - 2 - 3 with two hosts each, rooted at 1. */
class MulticastRouterTest {
    private static final int SLS = 1;

    private final TorusSketch line = TorusSketch.of(4, 1, 1, 1, 2);
    private final Fabric fabric = line.subnet().fabric();
    private final MulticastTree tree =
            new MulticastTree(fabric, 1, new int[] {1, Fabric.NONE, 1, 2}, new int[][] {down(0), {}, down(1), down(1)});
    private final MulticastRouter router = new MulticastRouter(line.subnet(), tree, SLS, alias -> 0);

    private int[] down(int group) {
        return new int[] {line.port(group, 0)};
    }

    private int hostPort(int i) {
        return line.port(6, i);
    }

    private MulticastGroup.Member member(int sw, int i, int joinState) {
        int host = fabric.peer(fabric.port(sw, hostPort(i)));
        return new MulticastGroup.Member(new Gid(Gid.DEFAULT_PREFIX, fabric.portGuid(host)), joinState, false);
    }

    private static MulticastGroup group(int mlid, long mgid, int sl, MulticastGroup.Member... members) {
        return new MulticastGroup(
                MCMemberRecord.TYPE
                        .zero()
                        .with(MCMemberRecord.MGID, new Gid(0xff12_601b_ffff_0000L, mgid))
                        .with(MCMemberRecord.MLID, mlid)
                        .with(MCMemberRecord.SL, sl),
                List.of(members));
    }

    private List<List<Integer>> ports(int i, MulticastGroup... groups) {
        MulticastRouter.Block block = router.block(new MulticastView(List.of(groups)), 0);
        return Stream.of(0, 1, 2, 3)
                .map(sw -> Arrays.stream(block.ports(sw, i)).boxed().toList())
                .toList();
    }

    @Test
    void groupsThatShareAnMlidAreRoutedAsOne() {
        MulticastGroup.Member a = member(0, 0, MCMemberRecord.FULL_MEMBER);
        MulticastGroup.Member b = member(3, 1, MCMemberRecord.FULL_MEMBER);
        MulticastGroup.Member c = member(1, 0, MCMemberRecord.FULL_MEMBER);
        List<List<Integer>> together =
                ports(1, group(0xC000, 1, 0), group(0xC001, 2, 0, a), group(0xC001, 3, 0, b, c), group(0xC002, 4, 0));
        assertThat(together).isEqualTo(ports(1, group(0xC001, 2, 0, a, b, c)));
        assertThat(together.get(0)).contains(hostPort(0));
        assertThat(together.get(3)).contains(hostPort(1));
    }

    /** The groups share an MLID, so that a member of one receives the packets of all. */
    @Test
    void aPortReceivesIfItIsAFullMemberOfOneOfTheGroups() {
        MulticastGroup.Member full = member(2, 0, MCMemberRecord.FULL_MEMBER);
        MulticastGroup.Member sender = member(2, 0, MCMemberRecord.SEND_ONLY_NON_MEMBER);
        MulticastGroup.Member far = member(0, 0, MCMemberRecord.FULL_MEMBER);
        assertThat(ports(0, group(0xC000, 1, 0, full, far), group(0xC000, 2, 0, sender))
                        .get(2))
                .contains(hostPort(0));
        assertThat(ports(0, group(0xC000, 1, 0, sender, far), group(0xC000, 2, 0, full))
                        .get(2))
                .contains(hostPort(0));
        assertThat(ports(0, group(0xC000, 1, 0, sender, far), group(0xC000, 2, 0, sender))
                        .get(2))
                .isNotEmpty()
                .doesNotContain(hostPort(0));
    }

    @Test
    void aGroupWhoseSlIsNotAllowedBringsNoPortIn() {
        MulticastGroup.Member a = member(0, 0, MCMemberRecord.FULL_MEMBER);
        MulticastGroup.Member b = member(3, 1, MCMemberRecord.FULL_MEMBER);
        assertThat(ports(0, group(0xC000, 1, 0, a), group(0xC000, 2, 5, b)))
                .isEqualTo(ports(0, group(0xC000, 1, 0, a)));
    }
}
