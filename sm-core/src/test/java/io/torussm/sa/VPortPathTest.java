package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.sa.PathRecord;
import org.junit.jupiter.api.Test;

/** Paths from and to virtual ports, which have the LID of their physical port. */
class VPortPathTest extends PathRecordCase {
    private static final long VPORT = 0x77;
    private static final int HOST = 3;

    private SaHarness.Request toVPort(int from) {
        return harness.get(0x35).with(C, PathRecord.SGID, hostGid(from)).with(C, PathRecord.DGID, gid(VPORT));
    }

    @Test
    void aVPortIsReachedByTheLidOfItsPortAndAGrh() {
        harness.aliases.besides(guid -> guid == VPORT ? SmallTorus.hostGuid(HOST) + 1 : 0);
        PathRecord toPort = read(path(1, HOST).answer());
        PathRecord toVPort = read(toVPort(1).answer());
        assertThat(toVPort.get(PathRecord.DLID)).isEqualTo(toPort.get(PathRecord.DLID));
        assertThat(toVPort.get(PathRecord.HOP_LIMIT)).isEqualTo(2);
        assertThat(toPort.get(PathRecord.HOP_LIMIT)).isZero();
        PathRecord fromVPort = read(harness.get(0x35)
                .with(C, PathRecord.SGID, gid(VPORT))
                .with(C, PathRecord.DGID, hostGid(1))
                .answer());
        assertThat(fromVPort.get(PathRecord.HOP_LIMIT)).isEqualTo(2);
    }

    @Test
    void aVPortThatWentHasNoPath() {
        assertThat(MadHeader.status(toVPort(1).answer())).isEqualTo(NONE);
    }
}
