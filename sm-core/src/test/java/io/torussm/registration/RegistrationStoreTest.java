package io.torussm.registration;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.alias.AliasGuids;
import io.torussm.alias.AliasTable;
import io.torussm.mad.Gid;
import io.torussm.multicast.MulticastGroup;
import io.torussm.report.Subscription;
import io.torussm.report.Subscriptions;
import io.torussm.state.StateDirectory;
import io.torussm.state.StateFile;
import io.torussm.testing.Seeds;
import io.torussm.transport.GlobalRoute;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Multicast groups, aliases, services and subscriptions in the files of the state directory of
 * {@link RegistrationCase}: every value, and false lines.
 */
class RegistrationStoreTest extends RegistrationCase {
    @Test
    void readsBackEveryValueOfGroupsAndMembers() throws IOException {
        List<MulticastGroup> groups = List.of(
                group(MGID, 0xc005, member(OTHER, 1), new MulticastGroup.Member(HOST, 0xf, true)),
                group(new Gid(0xff15_0000_0000_0000L, 1), 0xfffe));
        store().groups().record(groups);
        loop.runFor(RegistrationFile.BATCH_DELAY_NS);
        assertThat(store().groups().restored()).isEqualTo(groups);
        assertThat(Files.getPosixFilePermissions(dir.resolve("sa-state")))
                .as("there are Q_Keys in it")
                .hasSize(2);
        assertThat(Files.readAllLines(dir.resolve("sa-state")))
                .contains("member 0xfe80000000000000:0000000100000101 JoinState=0x1 ProxyJoin=0x0")
                .anyMatch(line ->
                        line.startsWith("group 0xff12401bffff0000:0000000000000016 Q_Key=0xfffffff1 MLID=0xc005"));
    }

    @Test
    void readsBackWhoseShareCounts() throws IOException {
        MulticastGroup usual = group(
                MGID,
                0xc005,
                member(OTHER, 1),
                new MulticastGroup.Member(HOST, 1, true, 0x77),
                new MulticastGroup.Member(new Gid(HOST.prefix(), 3), 1, false, 0));
        List<MulticastGroup> groups =
                List.of(new MulticastGroup(usual.record(), usual.members(), 0xf000_0000_0000_0088L));
        store().groups().record(groups);
        loop.runFor(RegistrationFile.BATCH_DELAY_NS);
        assertThat(store().groups().restored()).isEqualTo(groups);
        assertThat(Files.readAllLines(dir.resolve("sa-state")))
                .anyMatch(line -> line.endsWith(" maker=0xf000000000000088"))
                .contains("member 0xfe80000000000000:0000000100000101 JoinState=0x1 ProxyJoin=0x0");
    }

    @Test
    void readsTheSharedMlidOfGroupsThatMayShareOne() throws IOException {
        Gid first = new Gid(0xff12_601b_ffff_0000L, 0x1_ff00_0001L);
        Gid second = new Gid(0xff12_601b_ffff_0000L, 0x1_ff00_0002L);
        store().groups().record(List.of(group(first, 0xc005, member(HOST, 1)), group(second, 0xc005)));
        loop.runFor(RegistrationFile.BATCH_DELAY_NS);
        assertThat(store().groups().restored()).hasSize(2);
        store().groups().record(List.of(group(first, 0xc005), group(MGID, 0xc005)));
        loop.runFor(RegistrationFile.BATCH_DELAY_NS);
        assertThat(store().groups().restored()).as("alike in all that counts").hasSize(2);
        store().groups().record(List.of(group(first, 0xc005), withOtherSl(group(MGID, 0xc005))));
        loop.runFor(RegistrationFile.BATCH_DELAY_NS);
        assertThat(store().groups().restored()).isEmpty();
    }

    @Test
    void writesOnceForManyChangesAndTheRestAtTheEnd() throws IOException {
        RegistrationStore store = store();
        for (int i = 0; i < 100; i++) {
            store.groups().record(List.of(group(MGID, 0xc000 + i)));
        }
        assertThat(dir.resolve("sa-state")).doesNotExist();
        loop.runFor(RegistrationFile.BATCH_DELAY_NS);
        assertThat(store().groups().restored()).extracting(MulticastGroup::mlid).containsExactly(0xc063);
        store.groups().record(List.of(group(MGID, 0xc0ff)));
        store.setFrozen(true);
        loop.runFor(0);
        assertThat(store().groups().restored()).extracting(MulticastGroup::mlid).containsExactly(0xc0ff);
    }

    @ParameterizedTest
    @CsvSource({
        "0xc005, 0xbfff", "0xc005, 0xffff", "group, service", "Scope, Scopes", "JoinState=0x1, JoinState=0x10",
        "JoinState=0x1, JoinState=0x0", "Q_Key=0x, Q_Key=0xf", "0xff12, 0xfe12", ":0, 0", "member, group",
        "MTU, MTV"
    })
    void setsAFileAsideWithOneFalseWord(String from, String to) throws IOException {
        store().groups().record(List.of(group(MGID, 0xc005, member(HOST, 1))));
        loop.runFor(RegistrationFile.BATCH_DELAY_NS);
        Path file = dir.resolve("sa-state");
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        String text = String.join("\n", lines.subList(1, 3));
        assertThat(text).contains(from);
        rewrite(text.replaceFirst(from, to));
        assertThat(store().groups().restored()).isEmpty();
        assertThat(dir.resolve("sa-state.bad")).exists();
    }

    /** Writes records between a valid first and last line, so that only the records can be invalid. */
    private void rewrite(String records) throws IOException {
        StateDirectory state = StateDirectory.open(dir, loop);
        state.write(GroupCodec.FILE, records::lines);
        loop.runFor(0);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void survivesAnyRecords(long seed) throws IOException {
        Random random = Seeds.random(seed);
        for (int i = 0; i < 10; i++) {
            StringBuilder text = new StringBuilder();
            for (int c = random.nextInt(200); c >= 0; c--) {
                text.append("groupmember 0x:=cf1\n".charAt(random.nextInt(20)));
            }
            rewrite(text.toString());
            assertThat(store().groups().restored()).isEmpty();
        }
    }

    @Test
    void readsBackAliasesAndGeneratedOnesAndPendingPorts() throws IOException {
        AliasTable table = new AliasTable(
                Map.of(new AliasTable.Place(HOST.guid(), 1), 0x11L, new AliasTable.Place(HOST.guid(), 255), -2L),
                Map.of(new AliasTable.Place(OTHER.guid(), 9), 0x14_0500_0000_0001L),
                Set.of(new AliasTable.Block(OTHER.guid(), 31)));
        store().aliases().record(table);
        loop.runFor(RegistrationFile.BATCH_DELAY_NS);
        AliasTable read = store().aliases().restored();
        assertThat(read.guids()).isEqualTo(table.guids());
        assertThat(read.assignedGuids()).isEqualTo(table.assignedGuids());
        assertThat(read.clearedBlocks()).isEqualTo(table.clearedBlocks());
        assertThat(Files.readAllLines(dir.resolve("sa-guids")))
                .contains("alias 0x0000000100000001 1 0x0000000000000011");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alias 0x1 0 0x11",
                "alias 0x1 256 0x11",
                "alias 0x1 1 0x0",
                "alias 0x1 1",
                "alias 0x1 1 0x11 0x12",
                "alias 0x1 one 0x11",
                "alias 0x1 7 0x12",
                "alias 0x1 -1 0x12",
                "cleared 0x1 32",
                "cleared 0x1 -1",
                "cleared 0x1",
                "given 0x1 1 0x11",
                ""
            })
    void aFalseLineAboutAliasesSpoilsTheFile(String bad) {
        AliasCodec lines = new AliasCodec();
        assertThat(lines.parseLine("alias 0x1 7 0x11")).isEmpty();
        assertThat(lines.parseLine(bad)).isNotEmpty();
    }

    @Test
    void readsBackTheWayToASubscriber() throws IOException {
        GlobalRoute grh = new GlobalRoute(new Gid(0xfec0_0000_0000_0001L, 0x8000_0000_0000_0002L), 3, 64, 255, 0xfffff);
        Subscription plain = subscription(HOST.guid(), 0, false);
        List<Subscription> all = List.of(new Subscription(
                new Subscription.Subscriber(HOST.guid(), 0xabcdef, grh), 0, false, plain.informInfo()));
        RegistrationStore store = store();
        store.subscriptions().record(all);
        loop.runFor(RegistrationFile.BATCH_DELAY_NS);
        assertThat(store().subscriptions().restored()).isEqualTo(all);
    }

    @Test
    void readsBackEveryValueOfSubscriptions() throws IOException {
        List<Subscription> all = List.of(
                subscription(HOST.guid(), 0, false),
                subscription(HOST.guid(), Subscription.MAX_NUMBER, true),
                subscription(OTHER.guid(), 0, true));
        RegistrationStore store = store();
        store.subscriptions().record(all);
        loop.runFor(RegistrationFile.BATCH_DELAY_NS);
        assertThat(store().subscriptions().restored()).isEqualTo(all);
        store.subscriptions().record(List.of());
        store.setFrozen(true);
        loop.runFor(0);
        assertThat(store().subscriptions().restored()).isEmpty();
    }

    @Test
    void aSubscriptionThatMakesNoSenseSpoilsTheFile() {
        String good = SubscriptionCodec.of(subscription(HOST.guid(), 7, true));
        assertThat(new SubscriptionCodec().parseLine(good)).isEmpty();
        for (String bad : List.of(
                "inform 1 2 3",
                good.replace("inform", "service"),
                good.substring(1),
                good + "00",
                good.replace(" 7 ", " -1 "),
                good.replace(" 7 ", " 65536 "),
                good.replace(" 7 ", " x "),
                good.replace(" trusted ", " true "),
                good.replace("inform 0x", "inform x"),
                good.replaceFirst("000100000041", "000200000041"),
                good.substring(0, good.length() - 1) + "g")) {
            assertThat(new SubscriptionCodec().parseLine(bad)).as(bad).isNotEmpty();
        }
    }

    @Test
    void aServiceThatMakesNoSenseSpoilsTheFile() throws IOException {
        String good = ServiceCodec.of(new Services.Registration(service(1, 30), 5, 9));
        assertThat(new ServiceCodec().parseLine(good)).isEmpty();
        for (String bad : List.of(
                "group 1 2 3",
                good.substring(1),
                good + "00",
                good.replace(" 9 ", " -9 "),
                good.replace(" 9 ", " 18446744073709551615 "),
                good.replace("service 0x", "service x"),
                good.substring(0, good.length() - 1) + "g")) {
            assertThat(new ServiceCodec().parseLine(bad)).as(bad).isNotEmpty();
        }
    }

    @Test
    void aGroupOutOfRangeOrARepeatedMemberInvalidatesTheFile() {
        List<String> good = GroupCodec.of(group(MGID, 0xc005, member(HOST, 1))).toList();
        GroupCodec codec = new GroupCodec();
        assertThat(codec.parseLine(good.get(0).replace("0xc005", "0xbfff"))).isNotEmpty();
        assertThat(codec.parseLine(good.get(0).replace("0xff12", "0xfe12"))).isNotEmpty();
        assertThat(codec.parseLine(good.get(0))).isEmpty();
        assertThat(codec.parseLine(good.get(1))).isEmpty();
        assertThat(codec.parseLine(good.get(1))).isNotEmpty();
    }

    @Test
    void theFirstBlockOfAPortMayBeCleared() {
        AliasCodec codec = new AliasCodec();
        assertThat(codec.parseLine("cleared 0x0000000100000101 0")).isEmpty();
        assertThat(codec.value().clearedBlocks()).containsExactly(new AliasTable.Block(OTHER.guid(), 0));
    }

    @Test
    void theFirstSecondIsAnEndOfALease() {
        ServiceCodec codec = new ServiceCodec();
        Services.Registration ended = new Services.Registration(service(1, 30), 5, 0);
        assertThat(codec.parseLine(ServiceCodec.of(ended))).isEmpty();
        assertThat(codec.value()).containsExactly(ended);
    }

    @Test
    void aFileWithMoreRecordsThanTheSmTakesIsNotRead() {
        StateFile.Parser<?> aliases = new AliasCodec();
        for (int i = 0; i < AliasGuids.MAX_ALIASES; i++) {
            assertGood(
                    aliases.parseLine("alias 0x" + Integer.toHexString(1 + i / 255) + ' ' + (1 + i % 255) + " 0x11"));
        }
        assertThat(aliases.parseLine("alias 0xffffff 1 0x11")).isNotEmpty();
        StateFile.Parser<?> services = new ServiceCodec();
        String service = ServiceCodec.of(new Services.Registration(service(1, 30), 5, 9));
        for (int i = 0; i < Services.MAX_SERVICES; i++) {
            assertGood(services.parseLine(service));
        }
        assertThat(services.parseLine(service)).isNotEmpty();
        StateFile.Parser<?> subscriptions = new SubscriptionCodec();
        String inform = SubscriptionCodec.of(subscription(HOST.guid(), 7, true));
        for (int i = 0; i < Subscriptions.MAX_SUBSCRIPTIONS; i++) {
            assertGood(subscriptions.parseLine(inform));
        }
        assertThat(subscriptions.parseLine(inform)).isNotEmpty();
    }

    /** Checks a line without the cost of an assertion object for each of many. */
    private static void assertGood(String problem) {
        if (!problem.isEmpty()) {
            throw new AssertionError(problem);
        }
    }
}
