package io.torussm.mad.smp;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;

/** NodeDescription (IBA 14.2.5.2): 64 bytes of UTF-8, not always terminated by a zero. AttributeModifier is 0. */
public final class NodeDescription extends Attribute<NodeDescription> {
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\"{}]");
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

    /** Returns a description of a text. UTF-8 of more than 64 bytes is cut between characters. */
    public static NodeDescription of(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        int end = Math.min(utf8.length, L.size());
        // A byte 10xxxxxx continues a character, so the text must not be cut before it.
        while (end < utf8.length && (utf8[end] & 0xc0) == 0x80) {
            end--;
        }
        return TYPE.constructor().apply(Arrays.copyOf(Arrays.copyOf(utf8, end), L.size()));
    }

    /**
     * Returns the text up to the first NUL. Control characters, including controls of the direction of text, quotes and
     * braces are replaced by blanks.
     */
    public String text() {
        String all = new String(getBytes(STRING), StandardCharsets.UTF_8);
        int end = all.indexOf('\0');
        return UNPRINTABLE
                .matcher(end < 0 ? all : all.substring(0, end))
                .replaceAll(" ")
                .strip();
    }
}
