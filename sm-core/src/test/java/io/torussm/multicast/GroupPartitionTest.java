package io.torussm.multicast;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.partition.PortKeys;
import io.torussm.partition.WellKnownGroup;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Groups of partitions, and groups that partitions.conf declares. */
class GroupPartitionTest extends MulticastGroupsCase {
    @ParameterizedTest
    @CsvSource({"0xffff, 0", "0x7fff, 0", "0x8001, 0x200", "0x8000, 0x200", "0, 0x200"})
    void thePortMustBeInThePartition(String pKey, String expected) {
        assertThat(status(create(OTHER, 5).with(MCMemberRecord.P_KEY, Integer.decode(pKey))))
                .isEqualTo(Integer.decode(expected));
    }

    private static final PortKeys FULL_OF_1 = PortKeys.of(0x7fff, 0x8001);
    private static final PortKeys LIMITED_OF_1 = PortKeys.of(0x7fff, 1);
    private static final PortKeys NOT_IN_1 = PortKeys.of(0xffff);

    private RequestBuilder createInPartition1(long guid, PortKeys keys) {
        return create(OTHER, guid).with(MCMemberRecord.P_KEY, 0x8001).keys(keys, keys);
    }

    @Test
    void onlyPortsOfThePartitionOfAGroupMakeOrJoinIt() {
        assertThat(status(createInPartition1(5, NOT_IN_1))).isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(status(createInPartition1(5, LIMITED_OF_1))).isZero();
        assertThat(status(join(OTHER, 6, FULL).keys(NOT_IN_1, NOT_IN_1))).isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(status(join(OTHER, 6, FULL).keys(FULL_OF_1, FULL_OF_1))).isZero();
    }

    @Test
    void aProxySharesAPartitionWithThePortThatItJoins() {
        assertThat(status(createInPartition1(5, FULL_OF_1))).isZero();
        RequestBuilder byStranger = join(OTHER, 6, FULL).by(7).keys(FULL_OF_1, PortKeys.of(0x8002));
        assertThat(status(byStranger)).isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(status(join(OTHER, 6, FULL).by(7).keys(FULL_OF_1, PortKeys.of(0x8001))))
                .isZero();
        assertThat(leave(join(OTHER, 6, FULL).by(8).keys(FULL_OF_1, PortKeys.of(0x8002)))
                        .status())
                .isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(leave(join(OTHER, 6, FULL).by(8).keys(FULL_OF_1, LIMITED_OF_1))
                        .status())
                .isZero();
    }

    private static WellKnownGroup declared(int mtu) {
        return new WellKnownGroup(OTHER, 0x8001, mtu, 3, 8, 0xdeadbeef, 9, 0xabcde, "p.conf:3");
    }

    private void declare(WellKnownGroup... all) {
        groups.declare(List.of(all));
        groups.publish();
    }

    @Test
    void aDeclaredGroupHasItsValuesAndOutlivesItsMembers() {
        declare(declared(5));
        MCMemberRecord record = group(OTHER).record();
        assertThat(record.mlid()).as("the broadcast group is declared no more").isEqualTo(0xc000);
        assertThat(mlids()).containsExactly(0xc000);
        assertThat(record.mtu()).isEqualTo(5);
        assertThat(record.get(MCMemberRecord.Q_KEY)).isEqualTo(0xdeadbeefL);
        assertThat(record.get(MCMemberRecord.T_CLASS)).isEqualTo(9);
        assertThat(record.get(MCMemberRecord.FLOW_LABEL)).isEqualTo(0xabcde);
        assertThat(record.sl()).isEqualTo(8);
        assertThat(record.pKey()).isEqualTo(0x8001);
        declare(declared(4));
        assertThat(status(join(OTHER, 5, FULL).keys(FULL_OF_1, FULL_OF_1))).isZero();
        assertThat(leave(join(OTHER, 5, FULL).keys(FULL_OF_1, FULL_OF_1)).status())
                .isZero();
        assertThat(mlids()).containsExactly(0xc000);
    }

    @Test
    void aDeclaredGroupChangesWhenItHasNoMembersOnly() {
        declare(declared(3));
        send(join(OTHER, 5, FULL).keys(FULL_OF_1, FULL_OF_1));
        declare(declared(4));
        assertThat(group(OTHER).record().mtu()).isEqualTo(3);
        leave(join(OTHER, 5, FULL).keys(FULL_OF_1, FULL_OF_1));
        declare(declared(4));
        assertThat(group(OTHER).record().mtu()).isEqualTo(4);
    }

    @Test
    void aGroupThatIsDeclaredNoMoreStaysAsLongAsItsMembers() {
        declare(declared(4));
        send(join(OTHER, 5, FULL).keys(FULL_OF_1, FULL_OF_1));
        declare();
        assertThat(mlids()).containsExactly(0xc000);
        leave(join(OTHER, 5, FULL).keys(FULL_OF_1, FULL_OF_1));
        assertThat(mlids()).isEmpty();
    }
}
