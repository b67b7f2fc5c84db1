package io.torussm.registration;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.alias.AliasGuids;
import io.torussm.alias.AliasTable;
import io.torussm.mad.Gid;
import io.torussm.mad.sa.ServiceRecord;
import io.torussm.multicast.MulticastGroup;
import io.torussm.multicast.MulticastGroups;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Registrations of an SM after a restart and at the beginning of a new mastership, with the state directory of
 * {@link RegistrationCase}.
 */
class RestoredRegistrationsTest extends RegistrationCase {
    private static final Services.Claim CLAIM =
            new Services.Claim(HOST.guid(), false, false, new byte[16], guid -> false);

    private SaDatabase openDatabase(MulticastGroups groups, boolean isRestoring) throws IOException {
        return new SaDatabase(
                store(), loop, groups, new AliasGuids(loop, () -> 7), Gid.DEFAULT_PREFIX, () -> isRestoring);
    }

    @Test
    void groupsAreThereAgainWithTheirMlidsAndAbsentMembersLeave() throws IOException {
        store().groups()
                .record(List.of(
                        group(MulticastGroups.BROADCAST, 0xc000, member(HOST, 1)),
                        group(MGID, 0xc005, member(HOST, 1), member(OTHER, 1)),
                        group(new Gid(0xff15_0000_0000_0000L, 1), 0xc006, member(OTHER, 1)),
                        group(new Gid(0xff15_0000_0000_0000L, 2), 0xc007, member(new Gid(5, 5), 1))));
        loop.runFor(RegistrationFile.BATCH_DELAY_NS);
        MulticastGroups groups = new MulticastGroups(() -> LIFE, 10);
        openDatabase(groups, true)
                .memberships()
                .complete(
                        List.of(withOtherSl(group(new Gid(0xff15_0000_0000_0000L, 3), 0xc005, member(OTHER, 1)))),
                        Gid.DEFAULT_PREFIX);
        assertThat(groups.view().groups()).extracting(MulticastGroup::mlid).containsExactly(0xc000, 0xc005, 0xc006);
        assertThat(groups.view().groups().get(0).members()).containsExactly(member(HOST, 1));

        groups.adopt(
                new MulticastGroups.Conditions(true, 100, 0xffff, Gid.DEFAULT_PREFIX), guid -> guid == HOST.guid());
        groups.publish();
        assertThat(groups.view().groups()).extracting(MulticastGroup::mlid).containsExactly(0xc000, 0xc005);
        assertThat(groups.view().groups().get(1).members()).containsExactly(member(HOST, 1));
    }

    @Test
    void aliasesAndGeneratedOnesAreThereAgainAfterARestart() throws IOException {
        AliasGuids.Users nobody = new AliasGuids.Users(guid -> false, guid -> false);
        AliasTable.Block block = new AliasTable.Block(HOST.guid(), 0);
        AliasGuids before = openDatabase(new MulticastGroups(() -> LIFE, 10), true)
                .registrations()
                .aliases();
        before.set(block, 0b110, new long[] {0, 0x11, 0, 0, 0, 0, 0, 0}, nobody, (status, guids) -> {});
        loop.runFor(RegistrationFile.BATCH_DELAY_NS);
        long madeUp = before.table().guids(block)[2];
        assertThat(madeUp).isEqualTo(0x14_0507_0000_0001L);

        AliasGuids after = openDatabase(new MulticastGroups(() -> LIFE, 10), true)
                .registrations()
                .aliases();
        assertThat(after.table().guids(block)).startsWith(HOST.guid(), 0x11, madeUp);
        after.delete(block, 0b100, nobody, (status, guids) -> {});
        after.set(block, 0b1100, new long[8], nobody, (status, guids) -> {});
        loop.runFor(RegistrationFile.BATCH_DELAY_NS);
        assertThat(after.table().guids(block)).startsWith(HOST.guid(), 0x11, madeUp, madeUp + 1);
        assertThat(openDatabase(new MulticastGroups(() -> LIFE, 10), false)
                        .registrations()
                        .aliases()
                        .table()
                        .guids())
                .isEmpty();
    }

    @Test
    void registrationsOfTheLastRunCountOnlyIfConfigured() throws IOException {
        store().groups().record(List.of(group(MGID, 0xc005, member(HOST, 1))));
        openDatabase(new MulticastGroups(() -> LIFE, 10), true)
                .registrations()
                .services()
                .register(service(1, ServiceRecord.FOREVER), CLAIM, (status, record) -> {});
        loop.runFor(RegistrationFile.BATCH_DELAY_NS);

        MulticastGroups groups = new MulticastGroups(() -> LIFE, 10);
        Registrations registrations = openDatabase(groups, false).registrations();
        assertThat(groups.view().groups()).extracting(MulticastGroup::mlid).doesNotContain(0xc005);
        assertThat(registrations.services().view()).isEmpty();
        assertThat(openDatabase(groups, true).registrations().services().view()).hasSize(1);
        assertThat(groups.view().groups()).extracting(MulticastGroup::mlid).contains(0xc005);
    }

    /**
     * OpenSM is master in between and hands over nothing. Its registrations may differ, but an empty set
     * would be a worse guess.
     */
    @Test
    void aNewMastershipBeginsWithTheLastRegistrationsOrTheReplicatedOnes() throws IOException {
        SaDatabase books = openDatabase(new MulticastGroups(() -> LIFE, 10), true);
        books.begin();
        books.memberships().complete(List.of(group(MGID, 0xc005, member(HOST, 1))), Gid.DEFAULT_PREFIX);
        books.registrations().services().register(service(1, ServiceRecord.FOREVER), CLAIM, (status, record) -> {});
        loop.runFor(0);
        SaContents last = books.contents();
        assertThat(last.services()).hasSize(1);

        books.end(false);
        books.forget();
        loop.runFor(2 * RegistrationFile.BATCH_DELAY_NS);
        assertThat(books.memberships().view().groups())
                .extracting(MulticastGroup::mlid)
                .doesNotContain(0xc005);
        assertThat(store().groups().restored()).as("for a restart meanwhile").isEqualTo(last.groups());

        books.begin();
        assertThat(books.contents().groups()).isEqualTo(last.groups());
        assertThat(books.contents().services()).hasSize(1);
        loop.runFor(2 * RegistrationFile.BATCH_DELAY_NS);
        assertThat(store().groups().restored()).isEqualTo(last.groups());

        books.end(false);
        books.forget();
        books.adopt(
                new SaContents(List.of(group(MGID, 0xc006, member(OTHER, 1))), List.of(), List.of(), last.aliases()));
        books.begin();
        assertThat(books.contents().groups())
                .extracting(MulticastGroup::mlid)
                .contains(0xc006)
                .doesNotContain(0xc005);
        assertThat(books.contents().services()).isEmpty();
    }

    @Test
    void aNewMastershipBeginsEmptyIfThatIsConfigured() throws IOException {
        SaDatabase books = openDatabase(new MulticastGroups(() -> LIFE, 10), false);
        books.begin();
        books.memberships().complete(List.of(group(MGID, 0xc005, member(HOST, 1))), Gid.DEFAULT_PREFIX);
        books.end(false);
        books.forget();
        books.begin();
        assertThat(books.contents().groups()).extracting(MulticastGroup::mlid).doesNotContain(0xc005);
    }

    @Test
    void leasesOfServicesContinueWhileNothingCounts() throws IOException {
        Services services = openDatabase(new MulticastGroups(() -> LIFE, 10), true)
                .registrations()
                .services();
        for (long lease : new long[] {30, 100, ServiceRecord.FOREVER}) {
            services.register(service(lease, lease), CLAIM, (status, record) -> {});
        }
        loop.runFor(RegistrationFile.BATCH_DELAY_NS);
        epoch += 60;
        List<Services.Service> known = openDatabase(new MulticastGroups(() -> LIFE, 10), true)
                .registrations()
                .services()
                .view();
        assertThat(known)
                .extracting(Services.Service::record)
                .containsExactly(service(100, 100), service(ServiceRecord.FOREVER, ServiceRecord.FOREVER));
        assertThat(known).extracting(Services.Service::registrant).containsOnly(HOST.guid());
        assertThat(known.get(0).leaseLeft(loop.nowNs())).isEqualTo(40);
        assertThat(known.get(1).leaseLeft(loop.nowNs())).isEqualTo(ServiceRecord.FOREVER);
        assertThat(Files.getPosixFilePermissions(dir.resolve("sa-services")))
                .as("there are ServiceKeys in it")
                .hasSize(2);
    }
}
