package io.torussm.daemon.config;

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
 * M_Key and SM_Key that this program drew, which no operator knows: in the state file {@code keys}, one line of five numbers. They
 * are in force where the configuration leaves {@code m_key} at 0, and {@code sm_key} at one that everybody knows.
 *
 * <p>All SMs of a subnet must change the SM_Key without ignoring each other meanwhile, though each hears of it at another time.
 * So the former one is shown for {@link #SHOWN_AFTER_S} more, and accepted until {@link #FORMER_UNTIL_S}; the new one is
 * accepted at once. M_Keys need no such time: what each port has is in {@code guid2mkey}, and the former one is tried, too.
 *
 * @param mKey 0 for none
 * @param smKey 0 for none
 * @param formerMKey the M_Key that was in force before, 0 for none
 * @param formerSmKey the SM_Key that was in force before
 * @param changedS when that was, in seconds since 1970
 */
public record GeneratedKeys(long mKey, long smKey, long formerMKey, long formerSmKey, long changedS) {
    /** Their file. */
    public static final StateFile FILE = new StateFile(
            "keys",
            1,
            1 << 12,
            false,
            true,
            "m_key and sm_key come from the configuration until keys are generated again");

    /** Never any. */
    public static final GeneratedKeys NONE = new GeneratedKeys(0, 0, 0, 0, 0);

    /** From a change on: how long the former SM_Key is still shown, so that every SM hears of the new one first. */
    public static final long SHOWN_AFTER_S = TimeUnit.MINUTES.toSeconds(1);

    /** From a change on: how long the former SM_Key is accepted. */
    static final long FORMER_UNTIL_S = TimeUnit.HOURS.toSeconds(1);

    /** New keys; neither is 0, 1, or what it was. */
    public static GeneratedKeys drawn(RandomGenerator random, SmOptions inForce, long nowS) {
        long mKey = inForce.sweep().mKey();
        long smKey = inForce.mastership().trust().smKey();
        return new GeneratedKeys(draw(random, mKey), draw(random, smKey), mKey, smKey, nowS);
    }

    private static long draw(RandomGenerator random, long before) {
        long key = random.nextLong();
        while (key == 0 || key == 1 || key == before) {
            key = random.nextLong();
        }
        return key;
    }

    /** No keys any more. */
    public static GeneratedKeys removed(SmOptions inForce, long nowS) {
        return new GeneratedKeys(
                0, 0, inForce.sweep().mKey(), inForce.mastership().trust().smKey(), nowS);
    }

    /** Whether there are any. */
    public boolean isThere() {
        return mKey != 0;
    }

    /** The options of a configuration with these keys, as they are at a time. */
    public SmOptions over(SmOptions configured, long nowS) {
        SettingValues values = configured.values();
        if (mKey != 0 && values.get(Settings.M_KEY) == 0) {
            int level =
                    Math.max(1, values.get(Settings.M_KEY_PROTECTION_LEVEL)); // at 0 a port shows its key to everybody
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
            trusted.add(0L); // who shows none still counts
        }
        trusted.add(isShown ? formerSmKey : target);
        String list = trusted.stream().map(Guid::format).collect(Collectors.joining(","));
        return configured
                .with(Settings.SM_KEY, Guid.format(isShown ? target : formerSmKey))
                .with(Settings.TRUSTED_SM_KEYS, list);
    }

    /** When {@link #over} says something else, after a time; {@link Long#MAX_VALUE} for never. */
    public long nextChangeS(long nowS) {
        return Stream.of(changedS + SHOWN_AFTER_S, changedS + FORMER_UNTIL_S)
                .filter(next -> next > nowS)
                .findFirst()
                .orElse(Long.MAX_VALUE);
    }

    /** The records of the file. */
    public Stream<String> lines() {
        String drawn = Guid.format(mKey) + " " + Guid.format(smKey);
        return Stream.of(drawn + " " + Guid.format(formerMKey) + " " + Guid.format(formerSmKey) + " " + changedS);
    }

    /** Whether a state directory may hold keys; so if its file may not be read by this user. */
    static boolean areIn(Path stateDir) {
        Path file = stateDir.resolve(FILE.name());
        try {
            return Files.exists(file)
                    && (!Files.isReadable(file)
                            || FILE.parse(BoundedFile.bytes(file, FILE.maxBytes()), new Lines())
                                    .isThere());
        } catch (IOException | StateFile.Damage e) {
            return false;
        }
    }

    /** Without the keys. */
    @Override
    public String toString() {
        return "GeneratedKeys[" + (isThere() ? "since " + changedS : "none") + "]";
    }

    /** Reads the file; what is wrong with a line is said without it. */
    public static final class Lines implements StateFile.Parser<GeneratedKeys> {
        private GeneratedKeys keys = NONE;

        @Override
        public String take(String line) {
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
