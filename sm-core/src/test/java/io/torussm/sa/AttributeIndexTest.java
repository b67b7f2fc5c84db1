package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.mad.AttributeType;
import io.torussm.mad.MadHeader;
import io.torussm.mad.sa.NodeRecord;
import io.torussm.mad.sa.PathRecord;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The tables of handlers and counters by attribute ID. */
class AttributeIndexTest {
    private static final AttributeType<NodeRecord> LARGE_ID =
            new AttributeType<>(NodeRecord.TYPE.layout(), 0xff42, NodeRecord.TYPE.constructor());

    private static byte[] request(int attributeId) {
        byte[] mad = new byte[MadHeader.MAD_SIZE];
        MadHeader.ATTRIBUTE_ID.set(mad, 0, attributeId);
        return mad;
    }

    @Test
    void attributesWithALargeIdAreServed() {
        AttributeIndex<AttributeType<?>> index = new AttributeIndex<>(List.of(NodeRecord.TYPE, LARGE_ID), type -> type);
        assertThat(index.of(request(LARGE_ID.id()))).isSameAs(LARGE_ID);
        assertThat(index.of(request(NodeRecord.TYPE.id()))).isSameAs(NodeRecord.TYPE);
        assertThat(index.of(request(PathRecord.TYPE.id()))).isNull();
        assertThat(index.of(request(0xffff))).isNull();
    }

    @Test
    void twoHandlersOfOneAttributeAreRejected() {
        assertThatThrownBy(() -> new AttributeIndex<>(List.of(NodeRecord.TYPE, NodeRecord.TYPE), type -> type))
                .hasMessageContaining("NodeRecord");
    }

    @Test
    void requestsOfAttributesWithALargeIdAreCounted() {
        RequestStatistics statistics = new RequestStatistics(List.of(LARGE_ID));
        statistics.countTaken(request(LARGE_ID.id()), RequestQueue.Disposition.WAITS);
        assertThat(statistics.usedRows())
                .singleElement()
                .extracting(AttributeStatistics::attribute)
                .isEqualTo("NodeRecord");
    }
}
