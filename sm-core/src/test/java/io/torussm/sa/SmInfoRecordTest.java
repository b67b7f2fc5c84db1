package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.sa.SmInfoRecord;
import io.torussm.mad.smp.SmInfo;
import java.util.List;
import org.junit.jupiter.api.Test;

/** SMInfoRecords of the SMs of {@link SaHarness}: host 0 is master, hosts 1 and 2 are standby. */
class SmInfoRecordTest {
    private static final int SM_INFO = 0x18;
    private static final int SIZE = 32;

    private final SmallTorus torus = new SmallTorus();
    private final SaHarness harness = new SaHarness(torus);

    @Test
    void allKnownSmsAreReportedAsTheyShowedThemselves() {
        List<byte[]> records = harness.getTable(SM_INFO).records(SIZE);
        assertThat(records).hasSize(3);
        for (int i = 0; i < 3; i++) {
            SmInfo expected = SaHarness.subnetManager(torus, i);
            byte[] record = records.get(i);
            assertThat(SmInfoRecord.LID.get(record, 0)).isEqualTo(torus.hostLid(i));
            assertThat(SmInfoRecord.GUID.get(record, 0)).isEqualTo(expected.guid());
            assertThat(SmInfoRecord.ACT_COUNT.get(record, 0)).isEqualTo(0xffff_fff0L + i);
            assertThat(SmInfoRecord.PRIORITY.get(record, 0)).isEqualTo(expected.priority());
            assertThat(SmInfoRecord.SM_STATE.get(record, 0)).isEqualTo(expected.smState());
        }
    }

    @Test
    void theMasterIsFoundByItsState() {
        byte[] answer = harness.get(SM_INFO)
                .with(SmInfoRecord.COMPONENTS, SmInfoRecord.SM_STATE, SmInfo.MASTER)
                .answer();
        assertThat(SmInfoRecord.LID.get(answer, SaMad.DATA_OFFSET)).isEqualTo(torus.hostLid(0));
    }

    @Test
    void keysAreShownToTheTrustedOnlyAndOthersCannotGuessThem() {
        assertThat(harness.getTable(SM_INFO).set(SaMad.SM_KEY, SaHarness.SM_KEY).records(SIZE))
                .extracting(record -> SmInfoRecord.SM_KEY.get(record, 0))
                .containsExactly(SaHarness.SM_KEY, SaHarness.SM_KEY + 1, SaHarness.SM_KEY + 2);
        assertThat(harness.getTable(SM_INFO).records(SIZE))
                .allSatisfy(
                        record -> assertThat(SmInfoRecord.SM_KEY.get(record, 0)).isZero());
        assertThat(harness.getTable(SM_INFO)
                        .with(SmInfoRecord.COMPONENTS, SmInfoRecord.SM_KEY, SaHarness.SM_KEY)
                        .records(SIZE))
                .isEmpty();
    }

    @Test
    void anSmAtAnAbsentPortIsNotReported() {
        harness.subnetManagers.add(SaHarness.subnetManager(torus, 1).with(SmInfo.GUID, 0x99));
        assertThat(harness.getTable(SM_INFO).records(SIZE)).hasSize(3);
    }

    @Test
    void anSmInNoCommonPartitionIsNotReported() {
        harness.view = torus.partitioned("Default=0x7fff: ALL=limited, 0x"
                + Long.toHexString(torus.fabric.portGuid(torus.hostPort(1))) + "=full;");
        assertThat(harness.getTable(SM_INFO).records(SIZE))
                .extracting(record -> SmInfoRecord.LID.get(record, 0))
                .containsExactly((long) torus.hostLid(1));
    }

    /** OpenSM does not answer it, and osmtest waits for ever. */
    @Test
    void aSetIsAnsweredThatThereIsNone() {
        byte[] answer = harness.request(Method.SET, SM_INFO).answer();
        assertThat(MadHeader.status(answer)).isEqualTo(MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE);
        assertThat(MadHeader.method(answer)).isEqualTo(Method.GET_RESP);
    }
}
