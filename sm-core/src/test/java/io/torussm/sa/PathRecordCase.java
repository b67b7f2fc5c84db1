package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.ComponentMask;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;

/** Requests for PathRecords of {@link SmallTorus}. */
abstract class PathRecordCase {
    /** The component mask of PathRecord, for {@code request.with(COMPONENTS, field, value)}. */
    static final ComponentMask COMPONENTS = PathRecord.COMPONENTS;

    /** Bytes of a PathRecord in a table. */
    static final int SIZE = 64;

    static final int NO_RECORDS = MadStatus.SA_NO_RECORDS;

    final SmallTorus torus = new SmallTorus();
    final SaHarness harness = new SaHarness(torus);

    static Gid gid(long guid) {
        return new Gid(SmallTorus.PREFIX, guid);
    }

    static Gid hostGid(int host) {
        return gid(SmallTorus.hostGuid(host) + 1);
    }

    SaHarness.Request path(SaHarness asker, int from, int to) {
        return asker.get(PathRecord.TYPE.id())
                .with(COMPONENTS, PathRecord.SGID, hostGid(from))
                .with(COMPONENTS, PathRecord.DGID, hostGid(to));
    }

    SaHarness.Request path(int from, int to) {
        return path(harness, from, to);
    }

    static PathRecord read(byte[] answer) {
        assertThat(MadHeader.status(answer)).isZero();
        assertThat(SaMad.ATTRIBUTE_OFFSET.get(answer, 0)).isEqualTo(8);
        return PathRecord.TYPE.read(answer, SaMad.DATA_OFFSET);
    }

    static Field field(String name) {
        return COMPONENTS.components().stream()
                .filter(field -> field.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
