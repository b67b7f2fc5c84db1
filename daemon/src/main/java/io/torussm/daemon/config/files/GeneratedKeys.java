package io.torussm.daemon.config.files;

import io.torussm.daemon.config.SettingValues;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.mad.Guid;
import io.torussm.state.BoundedFile;
import io.torussm.state.StateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The M_Key and SM_Key that this program generated. The state file {@code keys} contains them as one line of five
 * numbers. The M_Key is effective if {@code m_key} is 0 in the configuration, the SM_Key if {@code sm_key} is a
 * publicly known one. Immutable.
 *
 * <p>All SMs of a subnet change the SM_Key, but each at another time, and they must not ignore each other meanwhile. So
 * SMInfo shows the former SM_Key for another {@link #SHOWN_AFTER_S} seconds, and accepts it for {@link #FORMER_UNTIL_S}
 * seconds. The new SM_Key is accepted immediately. M_Keys need no such time: {@code guid2mkey} has the M_Key of each
 * port, and the former M_Key is tried too.
 *
 * @param mKey generated M_Key; 0 if there is none
 * @param smKey generated SM_Key; 0 if there is none
 * @param formerMKey the previous M_Key; 0 if there was none
 * @param formerSmKey the previous SM_Key
 * @param changedS time of the change, in seconds since 1970
 */
public record GeneratedKeys(long mKey, long smKey, long formerMKey, long formerSmKey, long changedS) {
    /** The state file. */
    public static final StateFile FILE = StateFile.of(
                    "keys", 1, 1 << 12, "m_key and sm_key come from the configuration until keys are generated again")
            .secret();

    /** The state without generated keys, and without a change of keys. */
    public static final GeneratedKeys NONE = new GeneratedKeys(0, 0, 0, 0, 0);

    /** Time from a change until SMInfo shows the new SM_Key, in seconds, so that every SM has received it. */
    public static final long SHOWN_AFTER_S = TimeUnit.MINUTES.toSeconds(1);

    /** Time from a change until the former SM_Key is rejected, in seconds. */
    static final long FORMER_UNTIL_S = TimeUnit.HOURS.toSeconds(1);

    /**
     * Generates keys; neither is 0, 1 or the previous one.
     *
     * @param active the effective options, with the previous keys
     * @param nowS time in seconds since 1970
     */
    public static GeneratedKeys generate(RandomGenerator random, SmOptions active, long nowS) {
        long mKey = active.sweep().mKey();
        long smKey = active.mastership().trust().smKey();
        return new GeneratedKeys(generateKey(random, mKey), generateKey(random, smKey), mKey, smKey, nowS);
    }

    private static long generateKey(RandomGenerator random, long previousKey) {
        long key = random.nextLong();
        while (key == 0 || key == 1 || key == previousKey) {
            key = random.nextLong();
        }
        return key;
    }

    /** Returns the state after the removal of generated keys; the keys of the configuration follow. */
    public static GeneratedKeys afterRemoval(SmOptions active, long nowS) {
        return new GeneratedKeys(
                0, 0, active.sweep().mKey(), active.mastership().trust().smKey(), nowS);
    }

    /** Checks whether there are generated keys. */
    public boolean hasKeys() {
        return mKey != 0;
    }

    /** Returns the options of a configuration with these keys at a time, in seconds since 1970. */
    public SmOptions applyTo(SmOptions configured, long nowS) {
        SettingValues values = configured.values();
        if (mKey != 0 && values.get(Settings.M_KEY) == 0) {
            int level = Math.max(1, values.get(Settings.M_KEY_PROTECTION_LEVEL)); // At 0 any Get reads the M_Key.
            values = values.with(Settings.M_KEY, Guid.format(mKey))
                    .with(Settings.M_KEY_PROTECTION_LEVEL, Integer.toString(level));
        }
        if (configured.mastership().trust().isKeyPublic()) {
            values = withSmKey(values, nowS);
        }
        return values.equals(configured.values()) ? configured : SmOptions.of(values);
    }

    private SettingValues withSmKey(SettingValues configured, long nowS) {
        long target = smKey == 0 ? configured.get(Settings.SM_KEY) : smKey;
        if (nowS >= changedS + FORMER_UNTIL_S) {
            return smKey == 0 ? configured : configured.with(Settings.SM_KEY, Guid.format(target));
        }
        boolean isShown = nowS >= changedS + SHOWN_AFTER_S;
        Set<Long> trusted = new LinkedHashSet<>(configured.get(Settings.TRUSTED_SM_KEYS));
        if (trusted.isEmpty()) {
            trusted.add(0L); // An SM that shows no SM_Key stays trusted, as without a list.
        }
        trusted.add(isShown ? formerSmKey : target);
        String list = trusted.stream().map(Guid::format).collect(Collectors.joining(","));
        return configured
                .with(Settings.SM_KEY, Guid.format(isShown ? target : formerSmKey))
                .with(Settings.TRUSTED_SM_KEYS, list);
    }

    /**
     * Returns the next time at which the result of {@link #applyTo} changes; {@link Long#MAX_VALUE} if there is none.
     */
    public long nextChangeS(long nowS) {
        return Stream.of(changedS + SHOWN_AFTER_S, changedS + FORMER_UNTIL_S)
                .filter(next -> next > nowS)
                .findFirst()
                .orElse(Long.MAX_VALUE);
    }

    /** Returns the lines of the state file. */
    public Stream<String> lines() {
        String drawn = Guid.format(mKey) + " " + Guid.format(smKey);
        return Stream.of(drawn + " " + Guid.format(formerMKey) + " " + Guid.format(formerSmKey) + " " + changedS);
    }

    /** Checks whether a state directory contains generated keys. A file that this user may not read counts as such. */
    static boolean existIn(Path stateDir) {
        Path file = stateDir.resolve(FILE.name());
        try {
            return Files.exists(file)
                    && (!Files.isReadable(file)
                            || FILE.parse(BoundedFile.bytes(file, FILE.maxBytes()), new KeyLines())
                                    .hasKeys());
        } catch (IOException | StateFile.DamagedFileException e) {
            return false;
        }
    }

    /** Returns a text without the keys. */
    @Override
    public String toString() {
        return "GeneratedKeys[" + (hasKeys() ? "since " + changedS : "none") + "]";
    }

    /** The parser of the state file. Its messages do not contain the invalid line, which may contain a key. */
    public static final class KeyLines implements StateFile.Parser<GeneratedKeys> {
        private GeneratedKeys keys = NONE;

        @Override
        public String parseLine(String line) {
            String[] words = line.split(" ", -1);
            if (words.length != 5 || !keys.equals(NONE)) {
                return "expected one line with M_Key and SM_Key, both as they were before, and time";
            }
            try {
                keys = new GeneratedKeys(
                        Guid.parse(words[0]),
                        Guid.parse(words[1]),
                        Guid.parse(words[2]),
                        Guid.parse(words[3]),
                        Long.parseLong(words[4]));
            } catch (NumberFormatException e) {
                return "not five numbers";
            }
            boolean isWhole = (keys.mKey == 0) == (keys.smKey == 0) && keys.changedS >= 0 && keys.changedS < 1L << 40;
            return isWhole ? "" : "no keys, or no time";
        }

        @Override
        public GeneratedKeys value() {
            return keys;
        }
    }
}
