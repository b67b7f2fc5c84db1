package io.torussm.mad.smp;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import java.nio.charset.StandardCharsets;

/** NodeDescription (IBA 14.2.5.2): 64 bytes of UTF-8, not always terminated. AttributeModifier 0. */
public final class NodeDescription extends Attribute<NodeDescription> {
    private static final Layout L = new Layout("NodeDescription", 64);
    public static final Field STRING = L.bits("NodeString", 0, 512);
    public static final AttributeType<NodeDescription> TYPE = L.type(0x0010, NodeDescription::new);

    private NodeDescription(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<NodeDescription> type() {
        return TYPE;
    }

    /** A description of at most 64 bytes; longer text is cut. */
    public static NodeDescription of(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return TYPE.read(java.util.Arrays.copyOf(utf8, TYPE.layout().size()), 0);
    }

    /** The text up to the first NUL, control characters and quotes replaced by blanks. */
    public String text() {
        String all = new String(getBytes(STRING), StandardCharsets.UTF_8);
        int end = all.indexOf('\0');
        return (end < 0 ? all : all.substring(0, end))
                .replaceAll("[\\p{Cntrl}\"{}]", " ")
                .strip();
    }
}
