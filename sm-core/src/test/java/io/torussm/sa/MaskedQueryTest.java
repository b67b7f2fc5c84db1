package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.ComponentMask;
import io.torussm.mad.sa.GuidInfoRecord;
import io.torussm.mad.sa.LinearForwardingTableRecord;
import io.torussm.mad.sa.LinkRecord;
import io.torussm.mad.sa.MulticastForwardingTableRecord;
import io.torussm.mad.sa.NodeRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.PortInfoRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.sa.SlToVlMappingTableRecord;
import io.torussm.mad.sa.SmInfoRecord;
import io.torussm.mad.sa.SwitchInfoRecord;
import io.torussm.mad.sa.VlArbitrationTableRecord;
import io.torussm.mad.smp.PortInfo;
import io.torussm.testing.Seeds;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** For any components of a request, the answer equals a naive filter of the answer to the world query. */
class MaskedQueryTest {
    private static final PortInfoRecordFields PORT = new PortInfoRecordFields();

    /** Fields of PortInfo at their offsets in the record. */
    private static final class PortInfoRecordFields {
        final Field mKey = PortInfoRecord.field(PortInfo.M_KEY);
        final Field capabilityMask = PortInfoRecord.field(PortInfo.CAPABILITY_MASK);
        final Field speedActive = PortInfoRecord.field(PortInfo.LINK_SPEED_ACTIVE);
        final Field speedEnabled = PortInfoRecord.field(PortInfo.LINK_SPEED_ENABLED);
    }

    private final SmallTorus torus = new SmallTorus();
    private final SaHarness harness = new SaHarness(torus);

    /** A record that is found by the LID of an end port, and by any of its components. */
    private record RecordType(AttributeType<?> type, ComponentMask components) {
        int id() {
            return type.id();
        }

        int size() {
            return type.layout().size();
        }

        @Override
        public String toString() {
            return type.layout().name();
        }
    }

    static List<RecordType> recordTypes() {
        return List.of(
                new RecordType(NodeRecord.TYPE, NodeRecord.COMPONENTS),
                new RecordType(PortInfoRecord.TYPE, PortInfoRecord.COMPONENTS),
                new RecordType(LinkRecord.TYPE, LinkRecord.COMPONENTS),
                new RecordType(SwitchInfoRecord.TYPE, SwitchInfoRecord.COMPONENTS),
                new RecordType(LinearForwardingTableRecord.TYPE, LinearForwardingTableRecord.COMPONENTS),
                new RecordType(MulticastForwardingTableRecord.TYPE, MulticastForwardingTableRecord.COMPONENTS),
                new RecordType(SlToVlMappingTableRecord.TYPE, SlToVlMappingTableRecord.COMPONENTS),
                new RecordType(VlArbitrationTableRecord.TYPE, VlArbitrationTableRecord.COMPONENTS),
                new RecordType(SmInfoRecord.TYPE, SmInfoRecord.COMPONENTS),
                new RecordType(GuidInfoRecord.TYPE, GuidInfoRecord.COMPONENTS));
    }

    static Stream<Arguments> fields() {
        return recordTypes().stream().flatMap(kind -> kind.components().components().stream()
                .filter(field -> !field.name().startsWith("reserved"))
                .map(field -> Arguments.of(kind, field.name(), field)));
    }

    @ParameterizedTest(name = "{0} by {1}")
    @MethodSource("fields")
    void recordsByOneField(RecordType kind, String name, Field field) {
        List<byte[]> world = harness.getTable(kind.id()).records(kind.size());
        assertThat(world).isNotEmpty();
        Set<BigInteger> asked = new HashSet<>();
        for (byte[] example : world) {
            if (!asked.add(bits(example, field))) {
                continue; // the same request
            }
            List<byte[]> found = harness.getTable(kind.id())
                    .like(kind.components(), field, example)
                    .records(kind.size());
            assertThat(found).containsExactlyElementsOf(filter(world, field, example));
            assertGetAgrees(kind.id(), kind.components(), field, example, found);
        }
    }

    private void assertGetAgrees(
            int attribute, ComponentMask components, Field field, byte[] example, List<byte[]> found) {
        byte[] answer = harness.get(attribute).like(components, field, example).answer();
        if (found.size() == 1) {
            assertThat(MadHeader.status(answer)).isZero();
            assertThat(SaHarness.record(answer, example.length)).isEqualTo(found.get(0));
        } else {
            assertThat(MadHeader.status(answer)).isEqualTo(MadStatus.SA_TOO_MANY_RECORDS);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void anySubsetOfComponents(long seed) {
        Random random = Seeds.random(seed);
        for (int i = 0; i < 60; i++) {
            RecordType kind = recordTypes().get(random.nextInt(recordTypes().size()));
            int attribute = kind.id();
            int size = kind.size();
            ComponentMask components = kind.components();
            List<byte[]> expected = harness.getTable(attribute).records(size);
            SaHarness.Request request = harness.getTable(attribute);
            Set<Field> given = new HashSet<>();
            for (int n = random.nextInt(4); n >= 0 && !expected.isEmpty(); n--) {
                Field field = components
                        .components()
                        .get(random.nextInt(components.components().size()));
                byte[] example = expected.get(random.nextInt(expected.size()));
                if (!given.add(field)) {
                    continue;
                }
                request.like(components, field, example);
                expected = field.name().startsWith("reserved") ? expected : filter(expected, field, example);
            }
            assertThat(request.records(size)).containsExactlyElementsOf(expected);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void pathsByAnyAddressesAreThoseOfTheWorldQueryThatHaveThem(long seed) {
        Random random = Seeds.random(seed);
        Field[] addresses = {PathRecord.SGID, PathRecord.DGID, PathRecord.SLID, PathRecord.DLID, PathRecord.P_KEY};
        List<byte[]> world = harness.getTable(PathRecord.TYPE.id()).records(64);
        for (int i = 0; i < 40; i++) {
            byte[] example = world.get(random.nextInt(world.size()));
            List<byte[]> expected = world;
            SaHarness.Request request = harness.getTable(PathRecord.TYPE.id());
            for (Field field : addresses) {
                if (random.nextInt(3) == 0) {
                    request.like(PathRecord.COMPONENTS, field, example);
                    expected = filter(expected, field, example);
                }
            }
            assertThat(request.records(64)).containsExactlyElementsOf(expected);
        }
    }

    @Test
    void reservedComponentsSelectNothing() {
        SaHarness.Request request = harness.getTable(NodeRecord.TYPE.id()).select(1 << 1 | 1L << 40);
        Arrays.fill(request.mad, SaMad.DATA_OFFSET, 256, (byte) 0xff);
        assertThat(request.records(112)).hasSize(19);
    }

    @Test
    void everyLidOfAPortFindsItsRecords() {
        SmallTorus wide = new SmallTorus(2, (guid, portNum, usual) -> usual);
        SaHarness asker = new SaHarness(wide);
        for (int i = 0; i < 4; i++) {
            byte[] node = asker.get(NodeRecord.TYPE.id())
                    .with(NodeRecord.COMPONENTS, NodeRecord.LID, wide.hostLid(3) + i)
                    .answer();
            assertThat(NodeRecord.LID.get(node, SaMad.DATA_OFFSET)).isEqualTo(wide.hostLid(3));
            byte[] port = asker.get(PortInfoRecord.TYPE.id())
                    .with(PortInfoRecord.COMPONENTS, PortInfoRecord.ENDPORT_LID, wide.hostLid(3) + i)
                    .answer();
            assertThat(PortInfoRecord.ENDPORT_LID.get(port, SaMad.DATA_OFFSET)).isEqualTo(wide.hostLid(3));
        }
    }

    @Test
    void everyLidOfAPortFindsItsCablesFromEitherEnd() {
        SmallTorus wide = new SmallTorus(2, (guid, portNum, usual) -> usual);
        SaHarness asker = new SaHarness(wide);
        for (int i = 0; i < 4; i++) {
            assertThat(asker.getTable(LinkRecord.TYPE.id())
                            .with(LinkRecord.COMPONENTS, LinkRecord.FROM_LID, wide.hostLid(3) + i)
                            .records(8))
                    .extracting(link -> LinkRecord.FROM_LID.get(link, 0))
                    .containsExactly((long) wide.hostLid(3));
            assertThat(asker.getTable(LinkRecord.TYPE.id())
                            .with(LinkRecord.COMPONENTS, LinkRecord.TO_LID, wide.hostLid(3) + i)
                            .records(8))
                    .extracting(link -> LinkRecord.TO_LID.get(link, 0))
                    .containsExactly((long) wide.hostLid(3));
        }
    }

    /** NodeInfo of a switch contains the port of the query, which depends on the position of the SM. */
    @Test
    void theRecordOfASwitchIsThatOfItsPort0() {
        byte[] record = harness.get(NodeRecord.TYPE.id())
                .with(NodeRecord.COMPONENTS, NodeRecord.LID, torus.switchLid(2))
                .answer();
        assertThat(NodeRecord.LOCAL_PORT_NUM.get(record, SaMad.DATA_OFFSET)).isZero();
    }

    @Test
    void aNodeWithTwoPortsHasARecordOfEach() {
        List<byte[]> ports = harness.getTable(NodeRecord.TYPE.id())
                .with(NodeRecord.COMPONENTS, NodeRecord.NODE_GUID, SmallTorus.hostGuid(0))
                .records(112);
        assertThat(ports)
                .extracting(port -> NodeRecord.PORT_GUID.get(port, 0))
                .containsExactly(SmallTorus.hostGuid(0) + 1, SmallTorus.hostGuid(0) + 2);
        assertThat(ports)
                .extracting(port -> NodeRecord.LOCAL_PORT_NUM.get(port, 0))
                .containsExactly(1L, 2L);
        assertThat(ports).extracting(port -> NodeRecord.LID.get(port, 0)).doesNotHaveDuplicates();
    }

    @Test
    void theManagementKeyIsVisibleToTrustedRequestersOnly() {
        long key = keyOf(harness.getTable(PortInfoRecord.TYPE.id())
                .set(SaMad.SM_KEY, SaHarness.SM_KEY)
                .records(72)
                .get(1));
        assertThat(key).isNotZero();
        assertThat(harness.getTable(PortInfoRecord.TYPE.id()).records(72))
                .allSatisfy(port -> assertThat(keyOf(port)).isZero());
        assertThat(harness.getTable(PortInfoRecord.TYPE.id())
                        .with(PortInfoRecord.COMPONENTS, PORT.mKey, key)
                        .records(72))
                .isEmpty();
        assertThat(harness.getTable(PortInfoRecord.TYPE.id())
                        .with(PortInfoRecord.COMPONENTS, PORT.mKey, key)
                        .set(SaMad.SM_KEY, SaHarness.SM_KEY)
                        .records(72))
                .hasSize(1);
    }

    private static long keyOf(byte[] port) {
        return PORT.mKey.get(port, 0);
    }

    @Test
    void capabilitiesMatchByContainmentOnlyIfAskedFor() {
        long bit = 1L << 14;
        List<byte[]> world = harness.getTable(PortInfoRecord.TYPE.id()).records(72);
        List<byte[]> able = world.stream()
                .filter(port -> (PORT.capabilityMask.get(port, 0) & bit) != 0)
                .toList();
        assertThat(able).isNotEmpty().hasSizeLessThan(world.size());
        assertThat(harness.getTable(PortInfoRecord.TYPE.id())
                        .with(PortInfoRecord.COMPONENTS, PORT.capabilityMask, bit)
                        .set(MadHeader.ATTRIBUTE_MODIFIER, 1L << 31)
                        .records(72))
                .containsExactlyElementsOf(able);
        assertThat(harness.getTable(PortInfoRecord.TYPE.id())
                        .with(PortInfoRecord.COMPONENTS, PORT.capabilityMask, bit)
                        .records(72))
                .isEmpty();
    }

    @Test
    void aPortAtAnExtendedSpeedLooksLikeQdrToOldRequesters() {
        SmallTorus fast = new SmallTorus(0, (guid, portNum, usual) -> usual.with(PortInfo.LINK_SPEED_ACTIVE, 0)
                .with(PortInfo.LINK_SPEED_ENABLED, 3)
                .with(PortInfo.LINK_SPEED_EXT_ACTIVE, 2));
        SaHarness asker = new SaHarness(fast);
        byte[] plain = asker.getTable(PortInfoRecord.TYPE.id()).records(72).get(0);
        assertThat(PORT.speedActive.get(plain, 0)).isEqualTo(4);
        assertThat(PORT.speedEnabled.get(plain, 0)).isEqualTo(7);
        byte[] modern = asker.getTable(PortInfoRecord.TYPE.id())
                .with(PortInfoRecord.COMPONENTS, PortInfoRecord.OPTIONS, 0x80)
                .records(72)
                .get(0);
        assertThat(PORT.speedActive.get(modern, 0)).isZero();
        assertThat(PORT.speedEnabled.get(modern, 0)).isEqualTo(3);
        assertThat(PortInfoRecord.OPTIONS.get(modern, 0)).as("as asked").isEqualTo(0x80);
    }

    private List<byte[]> filter(List<byte[]> records, Field field, byte[] example) {
        return records.stream()
                .filter(record ->
                        isIgnored(record, field) || bits(record, field).equals(bits(example, field)))
                .toList();
    }

    /** Checks whether a field is ignored, such as the port numbers of the QoS tables of a host. */
    private boolean isIgnored(byte[] record, Field field) {
        boolean isPort = field.equals(SlToVlMappingTableRecord.INPUT_PORT_NUM)
                || field.equals(SlToVlMappingTableRecord.OUTPUT_PORT_NUM)
                || field.equals(VlArbitrationTableRecord.OUTPUT_PORT_NUM) && record.length == 72;
        int endport = torus.subnet.portOfLid((int) SlToVlMappingTableRecord.LID.get(record, 0));
        return isPort && !torus.fabric.isSwitch(torus.fabric.nodeOf(endport));
    }

    /** Reads a field by shifting the whole record, unlike the code under test. */
    private static BigInteger bits(byte[] record, Field field) {
        return new BigInteger(1, record)
                .shiftRight(record.length * 8 - field.offset() - field.width())
                .mod(BigInteger.ONE.shiftLeft(field.width()));
    }
}
