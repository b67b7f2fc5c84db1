/**
 * What the operator decided: settings, the files they name, and the options made of them.
 *
 * <p>What enters: a file in HOCON, the command line, and the files that settings name. What leaves: {@link
 * io.torussm.daemon.config.SmOptions}, an immutable value, and findings on what cannot be used.
 *
 * <p><b>A setting is said once.</b> {@link io.torussm.daemon.config.Settings} declares each with its name, what it may be, its
 * default, what it means, its options on the command line, and when a change takes effect. Help, manual pages, {@code
 * docs/operator/options.md} and {@code reference.conf} are made from these declarations. The program does not read {@code
 * reference.conf}: the defaults stand beside the ranges and meanings that they belong to, where the compiler sees all of a
 * setting at once, and a test fails unless the file says the same. (The other way about, defaults read from the file, costs a
 * second place to edit for each setting and a check at run time that none is missing.)
 *
 * <p><b>A value travels by name.</b> The stages of the SM, which do not know this package, have records of what they need:
 * {@code SweepSettings}, {@code LinkSettings}, {@code MadClient.Settings} and so on. {@link
 * io.torussm.daemon.config.SettingValues#as} fills each component with the setting of its name in camel case, or of the name
 * that the declaration gives, so that {@code head_of_queue_lifetime} reaches {@code LinkSettings.hoqLife} without an argument
 * list on the way in which two numbers could change places. A component without a setting, or of another type, is an {@code
 * IllegalStateException} whenever options are made, so in every test; {@code SettingValuesTest} changes one setting after the
 * other and sees that the components of its name change and no other. To add a setting is to declare it and to add a
 * component to the record of the stage that uses it. The cost, some 80 reflective calls, is paid once for each reading of the
 * configuration: stages are given records, never values to look up.
 *
 * <p><b>Reading again.</b> After SIGHUP {@link io.torussm.daemon.config.Reconfiguration} compares the options in force with
 * those that were read. Settings that need a restart keep their values in the options in force, so all parts of the SM see
 * the same; all others may be asked for at any time, and stages ask a supplier each time they need one.
 *
 * <p><b>Old names.</b> A setting that was renamed is declared with its former name, which is read with a warning that names the
 * new one, and refused where both are there.
 *
 * <p>Files that are read again at heavy sweeps have one life, {@link io.torussm.daemon.config.ReloadedFile}: with an error in
 * it, what was in force stays. They are parsed by those who use them; nothing here knows their grammar.
 *
 * <p>Threads: reading runs on the thread that called it, {@code main}; reloaded files belong to {@code sm}. Left out: a file
 * watch (SIGHUP says when a file is finished), includes, and settings that change themselves.
 */
@NullMarked
package io.torussm.daemon.config;

import org.jspecify.annotations.NullMarked;
