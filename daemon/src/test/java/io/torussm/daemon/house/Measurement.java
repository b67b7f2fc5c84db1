package io.torussm.daemon.house;

import java.util.Locale;

/**
 * A measured number.
 *
 * @param measure name of the measure
 * @param subject what was measured: package, type, method, module or directory
 * @param value the number
 */
record Measurement(Measure measure, String subject, int value) implements Comparable<Measurement> {
    /** The measures, with the limit that holds without an exception. */
    enum Measure {
        PACKAGE_FILES(30),
        PACKAGE_LINES(4_500),
        FILE_LINES(450),
        METHOD_LINES(60),
        CONSTRUCTOR_PARAMETERS(8),
        INSTANCE_FIELDS(18),
        /** Lines of comments of more than 120 columns in a module. */
        WIDE_COMMENTS(0),
        /** Lines of pages of more than 110 columns in a directory, tables and code apart. */
        WIDE_PAGES(0),
        /** Cells of tables of more than 160 characters in a directory. */
        LONG_CELLS(0),
        /** Phrases of the word list for each 100,000 words of comments, strings or pages. */
        DIALECT_RATE(150),
        /** Javadocs that begin with What, Whether, Those, Who or That, of 10,000. */
        JAVADOC_PRONOUNS(300),
        /** Names of tests that begin with such a word. */
        TEST_PRONOUNS(0),
        /** Top-level types of one name. */
        SAME_NAMES(1),
        /** Nested types called Kind, Result, Lines, End or Run. */
        VAGUE_NESTED_NAMES(0),
        /** Top-level types with a name of one word. */
        ONE_WORD_NAMES(0),
        /** Variables of main code whose name is a question word, a pronoun or a participle. */
        VAGUE_VARIABLES(0),
        /** Javadocs of main code that cannot be read alone, such as "Returns the same" and "; else 0". */
        DOC_FRAGMENTS(0),
        /** Lines of main code with an AND and an OR side by side. */
        MIXED_CONDITIONS(0),
        /** Lines of main code with two booleans or nulls side by side. */
        PAIRED_LITERALS(0),
        /** Methods of main code with the name of a predicate and another type than boolean. */
        FALSE_PREDICATES(0),
        /** Random numbers that a test class draws from a seed without mixing it; see Seeds. */
        UNMIXED_SEEDS(0);

        final int limit;

        Measure(int limit) {
            this.limit = limit;
        }

        /** Returns the name as the table writes it. */
        String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** Returns the measure of a label. */
        static Measure of(String label) {
            return valueOf(label.toUpperCase(Locale.ROOT).replace('-', '_'));
        }
    }

    /** Returns measure and subject, by which exceptions are found. */
    String key() {
        return measure.label() + "\t" + subject;
    }

    @Override
    public int compareTo(Measurement other) {
        return key().compareTo(other.key());
    }
}
