package io.torussm.mad.smp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.torussm.mad.Guid;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The text of attributes, and their checks. */
class AttributeTextTest {

    @Test
    void keysOfManagersAreNeverPrinted() {
        long key = 0x1122334455667788L;
        String hex = Long.toHexString(key);
        assertThat(PortInfo.TYPE.zero().with(PortInfo.M_KEY, key).toString())
                .doesNotContain(hex)
                .contains("M_Key=*");
        assertThat(SmInfo.TYPE.zero().with(SmInfo.SM_KEY, key).toString()).doesNotContain(hex);
        byte[] details = new byte[54];
        for (int i = 0; i < 8; i++) {
            details[14 + i] = (byte) (key >>> 56 - 8 * i);
        }
        Notice badKey = Notice.TYPE
                .zero()
                .with(Notice.IS_GENERIC, 1)
                .with(Notice.TRAP_NUMBER, Notice.TRAP_BAD_M_KEY)
                .with(Notice.DATA_DETAILS, details);
        assertThat(badKey.toString()).doesNotContain(hex);
        assertThat(badKey.with(Notice.TRAP_NUMBER, 128).toString()).contains(hex);
    }

    @Test
    void fieldsArePrintedInIbasSpelling() {
        assertThat(SmInfo.TYPE
                        .zero()
                        .with(SmInfo.PRIORITY, 9)
                        .with(SmInfo.SM_STATE, 3)
                        .toString())
                .isEqualTo("SMInfo{GUID=0x0 SM_Key=* ActCount=0x0 Priority=0x9 SMState=0x3}");
    }

    @Test
    void aLongDescriptionIsCutBetweenCharacters() {
        String text = "x".repeat(63) + "\u00e9 and more";
        assertThat(NodeDescription.of(text).text()).isEqualTo("x".repeat(63));
        assertThat(NodeDescription.of("y".repeat(80)).text()).isEqualTo("y".repeat(64));
    }

    @Test
    void aDescriptionFromTheWireCannotForgeALogLine() {
        byte[] evil = new byte[64];
        byte[] text = "a\nERROR \"b\" {}\u001b[2J\u009b\u202e\u2028c".getBytes(StandardCharsets.UTF_8);
        System.arraycopy(text, 0, evil, 0, text.length);
        assertThat(NodeDescription.TYPE.read(evil, 0).text()).isEqualTo("a ERROR  b     [2J   c");
    }

    @Test
    void vlsThatDoNotExistAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> SlToVlMappingTable.pack(0, 16));
        assertThatIllegalArgumentException().isThrownBy(() -> SlToVlMappingTable.pack(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> SlToVlMappingTable.pack(new int[17]));
        assertThatIllegalArgumentException().isThrownBy(SlToVlMappingTable::pack);
        assertThat(SlToVlMappingTable.pack(1, 2)).isEqualTo(0x1200000000000000L);
    }

    @Test
    void theHigherPriorityRulesAndThenTheLowerGuid() {
        SmInfo low = SmInfo.TYPE.zero().with(SmInfo.PRIORITY, 3).with(SmInfo.GUID, 1);
        SmInfo high = SmInfo.TYPE.zero().with(SmInfo.PRIORITY, 4).with(SmInfo.GUID, 2);
        assertThat(high.outranks(low)).isTrue();
        assertThat(low.outranks(high)).isFalse();
        SmInfo older = low.with(SmInfo.GUID, -1L);
        assertThat(low.outranks(older)).isTrue();
        assertThat(older.outranks(low)).isFalse();
        assertThat(low.outranks(low)).isFalse();
    }

    @Test
    void guidsReadAsTheyAreWritten() {
        assertThat(Guid.format(0x2c9L)).isEqualTo("0x00000000000002c9");
        assertThat(Guid.parse(Guid.format(-2L))).isEqualTo(-2L);
        assertThat(Guid.parse("713")).isEqualTo(713);
    }
}
