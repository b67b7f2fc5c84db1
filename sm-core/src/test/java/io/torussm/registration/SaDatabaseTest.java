package io.torussm.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.torussm.alias.AliasGuids;
import io.torussm.alias.AliasTable;
import io.torussm.mad.Gid;
import io.torussm.mad.sa.ServiceRecord;
import io.torussm.multicast.MulticastGroup;
import io.torussm.multicast.MulticastGroups;
import io.torussm.state.StateDirectory;
import io.torussm.state.StateFile;
import io.torussm.testing.SwitchableLoop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * All four kinds of registrations in {@link SaDatabase}: what a mastership begins with, and what is in the files, as
 * the operator's pages on mastership and replication say.
 */
class SaDatabaseTest extends RegistrationCase {
    /** One registration of each kind. */
    private static final SaContents OWN = contents(MGID, 5, HOST);

    /** One registration of each kind, of another SM. */
    private static final SaContents OTHERS = contents(new Gid(0xff15_0000_0000_0000L, 2), 6, OTHER);

    private static final List<String> OWN_NAMES = List.of("group c005", "service 5", "inform 5", "alias 5");
    private static final List<String> OTHER_NAMES = List.of("group c006", "service 6", "inform 6", "alias 6");

    private StateDirectory directory;
    private RegistrationStore store;
    private boolean isRestoring = true;

    @BeforeEach
    void recordRegistrationsOfTheLastRun() throws IOException {
        directory = StateDirectory.open(dir, loop);
        store = new RegistrationStore(directory, loop, () -> epoch);
        store.groups().record(OWN.groups());
        store.services().record(OWN.services());
        store.subscriptions().record(OWN.subscriptions());
        store.aliases().record(OWN.aliases());
        settle();
    }

    private static SaContents contents(Gid mgid, int number, Gid host) {
        return new SaContents(
                List.of(group(mgid, 0xc000 + number, member(host, 1))),
                List.of(new Services.Registration(service(number, 30), host.guid(), Services.Registration.FOREVER)),
                List.of(subscription(host.guid(), number, true)),
                new AliasTable(Map.of(new AliasTable.Place(host.guid(), 1), (long) number), Map.of(), Set.of()));
    }

    /** Returns a name of each registration, without groups that have no members. */
    private static List<String> names(SaContents contents) {
        List<String> names = new ArrayList<>();
        contents.groups().stream()
                .filter(group -> !group.members().isEmpty())
                .forEach(group -> names.add("group " + Integer.toHexString(group.mlid())));
        contents.services()
                .forEach(service -> names.add("service " + service.record().get(ServiceRecord.SERVICE_ID)));
        contents.subscriptions().forEach(subscription -> names.add("inform " + subscription.number()));
        contents.aliases().guids().values().forEach(guid -> names.add("alias " + guid));
        return names;
    }

    /** Opens the files as the next process does. */
    private SaDatabase open() throws IOException {
        directory = StateDirectory.open(dir, loop);
        store = new RegistrationStore(directory, loop, () -> epoch);
        return new SaDatabase(
                store,
                loop,
                new MulticastGroups(() -> LIFE, 10),
                new AliasGuids(loop, () -> 7),
                Gid.DEFAULT_PREFIX,
                () -> isRestoring);
    }

    /** Returns the names of the registrations in the files. */
    private List<String> namesInFiles() throws IOException {
        settle();
        RegistrationStore next = store();
        return names(new SaContents(
                next.groups().restored(),
                next.services().restored(),
                next.subscriptions().restored(),
                next.aliases().restored()));
    }

    private void settle() {
        loop.runFor(2 * RegistrationFile.BATCH_DELAY_NS);
    }

    /** Receives the files of another SM, as replication does. */
    private List<StateDirectory.Adoption> received(SaContents contents) throws StateFile.DamagedFileException {
        List<StateDirectory.Adoption> adoptions = new ArrayList<>();
        for (SaContents.File each : contents.files()) {
            adoptions.add(directory.examine(each.file().name(), each.content()));
        }
        return adoptions;
    }

    @Test
    void aStartReadsTheFilesOfTheLastRunIfConfigured() throws IOException {
        assertThat(names(open().contents())).isEqualTo(OWN_NAMES);
        isRestoring = false;
        assertThat(names(open().contents())).isEmpty();
    }

    @Test
    void theNextMastershipBeginsWithTheRegistrationsOfTheLastOne() throws IOException {
        SaDatabase books = open();
        books.begin();
        books.end(false);
        books.forget();
        assertThat(names(books.contents())).as("while another SM is master").isEmpty();
        assertThat(namesInFiles()).as("for a restart meanwhile").isEqualTo(OWN_NAMES);
        books.begin();
        assertThat(names(books.contents())).isEqualTo(OWN_NAMES);
        books.end(true);
        books.forget();
        books.begin();
        assertThat(names(books.contents()))
                .as("outdated, since the master has a copy")
                .isEmpty();
    }

    @Test
    void changesOfOtherMastershipsAreRecordedFromTheBeginOfTheOwnOn() throws IOException {
        SaDatabase books = open();
        books.end(false);
        books.adopt(OTHERS);
        assertThat(namesInFiles()).isEqualTo(OWN_NAMES);
        books.begin();
        assertThat(namesInFiles()).isEqualTo(OTHER_NAMES);
        books.adopt(OWN);
        assertThat(namesInFiles()).isEqualTo(OWN_NAMES);
    }

    @Test
    void registrationsOfAnotherSmReplaceAllOwnOnes() throws IOException {
        SaDatabase books = open();
        books.adopt(OTHERS);
        assertThat(names(books.contents())).isEqualTo(OTHER_NAMES);
        books.end(false);
        books.forget();
        books.adopt(SaContents.NONE);
        books.begin();
        assertThat(names(books.contents())).as("the last ones are outdated").isEmpty();
    }

    @Test
    void replicatedRegistrationsOfThePreviousMasterGoBeforeThoseOfTheLastMastership() throws Exception {
        SaDatabase books = open();
        books.end(false);
        books.forget();
        received(OTHERS).forEach(StateDirectory.Adoption::replace);
        assertThat(names(books.contents())).as("not before the mastership").isEmpty();
        books.begin();
        assertThat(names(books.contents())).isEqualTo(OTHER_NAMES);
        assertThat(namesInFiles()).isEqualTo(OTHER_NAMES);
        books.adopt(OWN);
        books.begin();
        assertThat(names(books.contents())).as("they count once").isEqualTo(OWN_NAMES);
    }

    @Test
    void replicatedRegistrationsAreCopiedButNotUsedIfThatIsConfigured() throws Exception {
        isRestoring = false;
        SaDatabase books = open();
        received(OTHERS).forEach(StateDirectory.Adoption::replace);
        assertThat(namesInFiles()).isEqualTo(OTHER_NAMES);
        books.begin();
        assertThat(names(books.contents())).isEmpty();
        received(OTHERS).forEach(StateDirectory.Adoption::complete);
        assertThat(names(books.contents())).isEmpty();
    }

    @Test
    void anUnusedCopyIsOutdatedForTheNextMastership() throws Exception {
        isRestoring = false;
        SaDatabase books = open();
        received(OTHERS).forEach(StateDirectory.Adoption::replace);
        books.begin();
        books.memberships().complete(OWN.groups(), Gid.DEFAULT_PREFIX);
        isRestoring = true;
        books.end(false);
        books.forget();
        books.begin();
        assertThat(names(books.contents())).containsExactly("group c005");
    }

    @Test
    void aMasterAddsReplicatedRegistrationsThatItMisses() throws Exception {
        SaDatabase books = open();
        books.begin();
        received(OTHERS).forEach(StateDirectory.Adoption::complete);
        assertThat(names(books.contents()))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(OWN_NAMES.stream(), OTHER_NAMES.stream()).toList());
        assertThat(namesInFiles()).hasSize(8);
    }

    @Test
    void anEndingProcessWritesItsRegistrationsButNotTheirRemoval() throws IOException {
        SaDatabase books = open();
        books.adopt(OTHERS);
        books.preserve();
        books.forget();
        assertThat(namesInFiles()).isEqualTo(OTHER_NAMES);
    }

    @Test
    void changedGroupsReachTheirListenerAfterTheyAreRecorded() throws IOException {
        SaDatabase books = open();
        List<Integer> mlids = new ArrayList<>();
        books.whenGroupsPublished(view ->
                mlids.addAll(view.groups().stream().map(MulticastGroup::mlid).toList()));
        books.memberships().complete(OTHERS.groups(), Gid.DEFAULT_PREFIX);
        assertThat(mlids).contains(0xc005, 0xc006);
    }

    @Test
    void aCallOnAnotherThreadIsRefusedAndChangesNothing() throws IOException {
        SwitchableLoop switchable = new SwitchableLoop(loop);
        RegistrationStore files = new RegistrationStore(StateDirectory.open(dir, loop), switchable, () -> epoch);
        SaDatabase books = new SaDatabase(
                files,
                switchable,
                new MulticastGroups(() -> LIFE, 10),
                new AliasGuids(switchable, () -> 7),
                Gid.DEFAULT_PREFIX,
                () -> true);
        books.end(false);
        books.forget();
        switchable.isInLoop = false;
        assertThatIllegalStateException().isThrownBy(() -> books.adopt(OTHERS));
        assertThatIllegalStateException().isThrownBy(() -> files.groups().record(List.of()));
        assertThatIllegalStateException().isThrownBy(() -> files.groups().setFrozen(false));
        assertThatIllegalStateException().isThrownBy(() -> files.groups().takeAdopted());
        assertThatIllegalStateException().isThrownBy(() -> files.groups().whenCompleted(others -> {}));
        switchable.isInLoop = true;
        books.begin();
        assertThat(names(books.contents())).isEqualTo(OWN_NAMES);
    }
}
