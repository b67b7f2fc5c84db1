package io.torussm.daemon.opensm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.alias.AliasTable;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.mad.Gid;
import io.torussm.mad.sa.InformInfo;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.ServiceRecord;
import io.torussm.multicast.MulticastGroup;
import io.torussm.registration.SaContents;
import io.torussm.registration.Services;
import io.torussm.report.Subscription;
import io.torussm.testing.Seeds;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The dump of the SA in the format of OpenSM. The stored dump was written by OpenSM 3.3.23 on ibsim, after hosts had
 * joined groups, registered services and subscribed.
 */
class SaDumpTest {
    private static final String GOLDEN = "groups-services-informs.dump";
    private static final long NOW_S = 1_795_609_800L;
    private static final String MEMBER_LINE =
            "mcm_port: port_gid=0xfe80000000000000:0x0000000100000401 scope_state=0x01 proxy_join=0x0";

    private static final int SEEDS = 500;

    @TempDir
    Path dir;

    static String golden() throws Exception {
        try (InputStream in = Objects.requireNonNull(SaDumpTest.class.getResourceAsStream(GOLDEN))) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @Test
    void readsGroupsWithTheirMlids() throws Exception {
        SaContents read = parse(golden());
        assertThat(read.groups()).extracting(MulticastGroup::mlid).containsExactly(0xc003, 0xc002, 0xc000);
        MulticastGroup two = read.groups().get(0);
        assertThat(two.mgid()).isEqualTo(new Gid(0xff12_1234_0000_0000L, 3));
        assertThat(two.members()).containsExactly(member(0x1_0000_0401L), member(0x1_0000_0501L));
        assertThat(two.record().mtu()).isEqualTo(4);
        assertThat(two.record().rate()).isEqualTo(7);
        assertThat(two.record().get(MCMemberRecord.Q_KEY)).isEqualTo(7);
        MulticastGroup broadcast = read.groups().get(2);
        assertThat(broadcast.members()).isEmpty();
        assertThat(broadcast.record().get(MCMemberRecord.SCOPE)).isEqualTo(2);
        assertThat(broadcast.record().get(MCMemberRecord.PACKET_LIFE_TIME)).isEqualTo(0x12);
        assertThat(broadcast.record().get(MCMemberRecord.Q_KEY)).isEqualTo(0xb1b);
    }

    @Test
    void readsServicesAndSubscriptions() throws Exception {
        SaContents read = parse(golden());
        assertThat(read.services()).hasSize(2).allSatisfy(service -> {
            assertThat(service.registrant()).isEqualTo(0x1_0000_0301L);
            assertThat(service.until()).isEqualTo(Services.Registration.FOREVER);
            assertThat(service.record().get(ServiceRecord.SERVICE_P_KEY)).isEqualTo(0xffff);
        });
        ServiceRecord keyed = read.services().get(0).record();
        assertThat(keyed.get(ServiceRecord.SERVICE_ID)).isEqualTo(0x4e);
        assertThat(Gid.read(keyed.getBytes(ServiceRecord.SERVICE_KEY), 0)).isEqualTo(new Gid(0, 5));
        assertThat(read.subscriptions()).extracting(Subscription::number).containsExactly(0, 1);
        Subscription first = read.subscriptions().get(0);
        assertThat(first.subscriber()).isEqualTo(new Subscription.Subscriber(0x1_0000_0501L, 1));
        assertThat(first.informInfo().get(InformInfo.TRAP_NUMBER)).isEqualTo(64);
        assertThat(first.informInfo().isOfAnyLid()).isTrue();
        assertThat(first.informInfo().get(InformInfo.PRODUCER_TYPE)).isEqualTo(InformInfo.ANY_PRODUCER);
    }

    /** Leases count from modified_time on; SL, flow label and hop limit share a word. */
    @Test
    void readsFormsThatTheGoldenFileLacks() throws Exception {
        String text = golden().replaceFirst("lease_period=0xffffffff", "lease_period=0x64")
                        .replaceFirst("sl_flow_hop=0x00000000", "sl_flow_hop=0x51234509")
                        .replaceFirst("name=''", "name='it''s = mine'")
                + "GUIDInfo Record: base_guid=0x0000000100000301 lid=0x0004 block_num=0x1 guid0=0x00a0 guid1=0x0"
                + " guid2=0x0 guid3=0x00a3 guid4=0x0 guid5=0x0 guid6=0x0 guid7=0x0\n\n";
        SaContents read = parse(text);
        assertThat(read.services().get(0).until()).isEqualTo(0x6b06d48cL + 100);
        assertThat(new String(
                        read.services().get(0).record().getBytes(ServiceRecord.SERVICE_NAME),
                        StandardCharsets.US_ASCII))
                .startsWith("it''s = mine\0");
        MCMemberRecord group = read.groups().get(0).record();
        assertThat(group.sl()).isEqualTo(5);
        assertThat(group.get(MCMemberRecord.FLOW_LABEL)).isEqualTo(0x12345);
        assertThat(group.get(MCMemberRecord.HOP_LIMIT)).isEqualTo(9);
        assertThat(read.aliases().guids())
                .isEqualTo(Map.of(
                        new AliasTable.Place(0x1_0000_0301L, 8),
                        0xa0L,
                        new AliasTable.Place(0x1_0000_0301L, 11),
                        0xa3L));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mlid=0xc002 | mlid=0x1c002 | dump:7: mlid has more than 16 bits",
                "mlid=0xc002 | mlid=0xc000 | MLID appears twice",
                "mlid=0xc002 | mlid=0x0002 | MGID or MLID out of range",
                "qkey=0x00000007 | qkey=7 | dump:1: qkey is no 0x number",
                "pkey=0xffff | key=0xffff | dump:1: pkey is missing",
                "0x0000000100000501 scope_state=0x01 | 0x0000000100000401 scope_state=0x01 | dump:5: a member without",
                "InformInfo Record: | Inform Record: | dump:13: no record of an SA dump",
                "subscribe=0x1 | subscribe=0x0 | dump:13: this is no subscription",
                "lease=0xffffffff | lease=0xffffffff lease=0x1 | dump:17: lease is there twice"
            })
    void refusesTheWholeFileWithTheLine(String old, String instead, String told) throws Exception {
        String text = golden().replaceFirst(old, instead);
        assertThat(text).isNotEqualTo(golden());
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(told);
        assertThatThrownBy(() -> parse(MEMBER_LINE)).hasMessageContaining("dump:1: a member of no group");
    }

    /** A host chooses the name, and OpenSM writes it as it is. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "one\ntwo' data9='\nthree\rfour",
                "\nmcm_port: port_gid=0xff12:0x7 scope_state=0x1 proxy_join=0x0",
                "\nMC Group 0xc000 : mgid=0x1:0x2",
                "' data8=0x\nService Record: id=0x1",
                "' data8=0x1:0x2 data16=0x\nInformInfo Record:",
                "\nGUIDInfo Record: base_guid=0x1\n' data8=0x"
            })
    void aServiceWhoseNameBreaksTheLineIsLeftOut(String name) throws Exception {
        SaContents good = parse(golden());
        String text = golden().replaceFirst("name=''", Matcher.quoteReplacement("name='" + name + "'"));
        SaDump.ConvertedDump read = SaDump.parse("dump", text);
        assertThat(read.leftOut()).singleElement().asString().startsWith("dump:17: ");
        assertThat(read.contents().services()).hasSize(good.services().size() - 1);
        assertThat(read.contents().groups()).isEqualTo(good.groups());
        assertThat(read.contents().subscriptions()).isEqualTo(good.subscriptions());
        assertThat(read.contents().aliases().guids()).isEqualTo(good.aliases().guids());
    }

    @Test
    void aServiceWithoutEndIsRefused() throws Exception {
        String text = golden();
        String cut = text.substring(0, text.indexOf("name=''") + "name='".length()) + "\n\n";
        assertThatThrownBy(() -> SaDump.parse("dump", cut)).hasMessageContaining("dump:17: ");
    }

    @Test
    void saysWhyAFileCannotBeRead() throws Exception {
        assertThatThrownBy(() -> SaDump.read(dir.resolve("absent")))
                .hasMessageContaining("there is no such file")
                .hasMessageContaining("sa_db_dump");
        Path empty = Files.writeString(dir.resolve("empty"), "");
        assertThat(SaDump.read(empty).contents().amounts()).isEqualTo(SaContents.NONE.amounts());
    }

    @Test
    void writtenFilesAreReadBack() throws Exception {
        SaContents one = parse(golden());
        SaContents more = new SaContents(
                one.groups(),
                one.services(),
                one.subscriptions(),
                new AliasTable(Map.of(new AliasTable.Place(0x1_0000_0301L, 3), 0xa3L), Map.of(), Set.of()));
        SaDumpText written = new SaDumpText(more, Gid.DEFAULT_PREFIX, guid -> 7, NOW_S);
        SaContents again = parse(written.text());
        assertThat(again.groups()).isEqualTo(more.groups());
        assertThat(again.services()).isEqualTo(more.services());
        assertThat(again.subscriptions()).isEqualTo(more.subscriptions());
        assertThat(again.aliases().guids()).isEqualTo(more.aliases().guids());
        assertThat(written.leftOut()).isEmpty();
        assertThat(written.text().lines())
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(SaDump.MAX_LINE));
    }

    /**
     * OpenSM's own lines, except for data that only it has: where a port was when it subscribed, and its
     * clock.
     */
    @Test
    void writesTheLinesOfOpenSm() throws Exception {
        SaDumpText written = new SaDumpText(parse(golden()), Gid.DEFAULT_PREFIX, guid -> 8, 0x6b06d48cL);
        List<String> own = written.text().lines().sorted().toList();
        List<String> its = golden().replace("remote_qkey=0x00000000", "remote_qkey=0x80010000")
                .lines()
                .sorted()
                .toList();
        assertThat(own.stream()
                        .map(line -> line.replace("subscriber_enum=0x1", "subscriber_enum=0x0"))
                        .sorted())
                .containsExactlyElementsOf(its);
    }

    @Test
    void leavesOutDevicesWithoutCoordinates() throws Exception {
        SaContents one = parse(golden().replaceFirst("name=''", "name='it''s'")
                .replaceFirst("lease_period=0xffffffff", "lease_period=0x1"));
        SaDumpText written = new SaDumpText(one, Gid.DEFAULT_PREFIX, guid -> 0, 0x6b06d48cL);
        assertThat(written.leftOut())
                .hasSize(3)
                .anySatisfy(line -> assertThat(line)
                        .startsWith("service 0x000000000000004e")
                        .contains("quotes"))
                .anySatisfy(line -> assertThat(line).contains("the port has no LID"));
        SaDumpText later = new SaDumpText(one, Gid.DEFAULT_PREFIX, guid -> 8, NOW_S);
        assertThat(later.leftOut()).as("its lease has ended").isEmpty();
        assertThat(parse(later.text()).services()).hasSize(1);
    }

    /** Bits flipped, an end cut off, a part twice: it is good, or the error names the file. */
    @Test
    void aDamagedFileIsGoodOrTheErrorNamesIt() throws Exception {
        byte[] whole = golden().getBytes(StandardCharsets.ISO_8859_1);
        int refused = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            Random random = Seeds.random(seed);
            byte[] bytes = Arrays.copyOf(whole, seed % 3 == 0 ? random.nextInt(whole.length) : whole.length);
            for (int flips = random.nextInt(4); flips > 0 && bytes.length > 0; flips--) {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            try {
                assertThat(SaDump.parse("dump", seed % 5 == 0 ? text + text.substring(text.length() / 2) : text)
                                .contents())
                        .isNotNull();
            } catch (ConfigurationException e) {
                refused++;
                assertThat(e).as("seed %d", seed).hasMessageContaining("dump:");
            }
        }
        assertThat(refused).isGreaterThan(SEEDS / 5);
    }

    private static SaContents parse(String text) throws ConfigurationException {
        return SaDump.parse("dump", text).contents();
    }

    private static MulticastGroup.Member member(long guid) {
        return new MulticastGroup.Member(new Gid(Gid.DEFAULT_PREFIX, guid), MCMemberRecord.FULL_MEMBER, false);
    }
}
