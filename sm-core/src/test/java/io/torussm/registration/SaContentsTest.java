package io.torussm.registration;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.alias.AliasTable;
import io.torussm.mad.Gid;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A snapshot of registrations as files, and its summary. */
class SaContentsTest extends RegistrationCase {
    private static final SaContents ALL = new SaContents(
            List.of(
                    group(MGID, 0xc005, member(HOST, 1), member(OTHER, 1)),
                    group(new Gid(0xff15_0000_0000_0000L, 2), 0xc006, member(HOST, 1))),
            List.of(new Services.Registration(service(1, 30), HOST.guid(), 1_795_000_030L)),
            List.of(
                    subscription(HOST.guid(), 0, true),
                    subscription(HOST.guid(), 1, false),
                    subscription(OTHER.guid(), 0, false),
                    subscription(OTHER.guid(), 1, false)),
            new AliasTable(
                    Map.of(
                            new AliasTable.Place(HOST.guid(), 1), 0x11L,
                            new AliasTable.Place(HOST.guid(), 2), 0x12L,
                            new AliasTable.Place(OTHER.guid(), 1), 0x13L,
                            new AliasTable.Place(OTHER.guid(), 2), 0x14L,
                            new AliasTable.Place(OTHER.guid(), 3), 0x15L),
                    Map.of(),
                    Set.of()));

    @Test
    void filesHaveAllRegistrationsAndAMissingFileHasNone() throws Exception {
        List<SaContents.File> files = ALL.files();
        assertThat(files)
                .extracting(each -> each.file().name())
                .containsExactly("sa-state", "sa-services", "sa-informs", "sa-guids");
        SaContents read = SaContents.of(files);
        assertThat(read.groups()).isEqualTo(ALL.groups());
        assertThat(read.services()).isEqualTo(ALL.services());
        assertThat(read.subscriptions()).isEqualTo(ALL.subscriptions());
        assertThat(read.aliases().guids()).isEqualTo(ALL.aliases().guids());
        for (SaContents.File each : files) {
            SaContents part = SaContents.of(List.of(each));
            boolean isGroups = each.file().equals(GroupCodec.FILE);
            assertThat(part.groups()).isEqualTo(isGroups ? ALL.groups() : List.of());
        }
        assertThat(SaContents.of(files.subList(1, 2)).services()).isEqualTo(ALL.services());
        assertThat(SaContents.of(List.of()).amounts()).isEqualTo(SaContents.NONE.amounts());
    }

    @Test
    void amountsNameEachKind() {
        assertThat(ALL.memberships()).isEqualTo(3);
        assertThat(ALL.amounts())
                .containsExactly(
                        "2 multicast groups with 3 members", "1 services", "4 event subscriptions", "5 alias GUIDs");
    }
}
