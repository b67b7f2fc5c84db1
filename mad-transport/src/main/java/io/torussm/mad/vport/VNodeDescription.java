package io.torussm.mad.vport;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import io.torussm.mad.smp.NodeDescription;

/**
 * VNodeDescription (vendor attribute 0xFFB4): the name of a virtual node, 64 bytes as NodeDescription. Get only.
 * AttributeModifier: index of a vport of the node.
 */
public final class VNodeDescription extends Attribute<VNodeDescription> {
    private static final Layout L = new Layout("VNodeDescription", 64);
    public static final Field STRING = L.bits("NodeString", 0, 512);
    public static final AttributeType<VNodeDescription> TYPE = L.type(0xffb4, VNodeDescription::new);

    private VNodeDescription(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<VNodeDescription> type() {
        return TYPE;
    }

    /** Returns a description of at most 64 bytes; longer text is cut, between characters. */
    public static VNodeDescription of(String text) {
        return TYPE.read(NodeDescription.of(text).toBytes(), 0);
    }

    /** Returns the text without controls and quotes, as {@link NodeDescription#text}. */
    public String text() {
        return NodeDescription.TYPE.read(getBytes(STRING), 0).text();
    }
}
