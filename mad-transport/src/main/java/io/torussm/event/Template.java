package io.torussm.event;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A text with fields in braces.
 *
 * @param text text as declared
 * @param literals text before each field and after the last one; one more than {@code order}
 * @param order fields in order of occurrence, with repetitions
 * @param fields fields of the text
 */
record Template(String text, List<String> literals, List<EventField> order, Set<EventField> fields) {
    static Template of(String text) {
        List<String> literals = new ArrayList<>();
        List<EventField> order = new ArrayList<>();
        int index = 0;
        for (int open = text.indexOf('{'); open >= 0; open = text.indexOf('{', index)) {
            int close = text.indexOf('}', open);
            literals.add(text.substring(index, open));
            order.add(EventField.valueOf(text.substring(open + 1, close).toUpperCase(Locale.ROOT)));
            index = close + 1;
        }
        literals.add(text.substring(index));
        EnumSet<EventField> fields = EnumSet.noneOf(EventField.class);
        fields.addAll(order);
        return new Template(text, List.copyOf(literals), List.copyOf(order), Collections.unmodifiableSet(fields));
    }

    /** Returns the fields of the text, and additional ones. */
    Set<EventField> fieldsAnd(Set<EventField> more) {
        EnumSet<EventField> all = EnumSet.noneOf(EventField.class);
        all.addAll(fields);
        all.addAll(more);
        return all;
    }

    /** Returns the text with values. A field without a value is a question mark. */
    String render(List<EventField.Value> values) {
        StringBuilder line = new StringBuilder(literals.get(0));
        for (int i = 0; i < order.size(); i++) {
            line.append(valueOf(order.get(i), values)).append(literals.get(i + 1));
        }
        return line.toString();
    }

    private static String valueOf(EventField field, List<EventField.Value> values) {
        for (EventField.Value value : values) {
            if (value.field() == field) {
                return value.text();
            }
        }
        return "?";
    }
}
