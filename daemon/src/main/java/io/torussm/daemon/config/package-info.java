/**
 * The decisions of the operator: settings, and the options made of them.
 *
 * <p>The input is a file in HOCON and the command line. The output is {@link io.torussm.daemon.config.SmOptions}, an
 * immutable value. The files that settings name are read by {@code files}; {@code migration} converts an opensm.conf.
 *
 * <p><b>A setting is declared once.</b> {@link io.torussm.daemon.config.Settings} declares each with its name, valid
 * values, default, meaning, options on the command line, and the time when a change takes effect. Help, manual pages,
 * {@code docs/operator/options.md} and {@code reference.conf} are generated from these declarations. The program does
 * not read {@code reference.conf}. The defaults are next to their ranges and meanings, so the compiler sees a whole
 * setting, and a test fails if the file differs. (Defaults in the file would be a second place to edit for each
 * setting, and would need a check at run time that none is missing.)
 *
 * <p><b>A value travels by name.</b> The stages of the SM do not depend on this package. They have records of their
 * input: {@code SweepSettings}, {@code LinkSettings}, {@code MadClient.Settings} and so on. {@link
 * io.torussm.daemon.config.SettingValues#toRecord} fills each component with the setting of its name in camel case, or
 * of the name in the declaration. So {@code head_of_queue_lifetime} reaches {@code LinkSettings.hoqLife} without an
 * argument list in which two numbers could be exchanged. A component without a setting, or of another type, causes an
 * {@code IllegalStateException} whenever options are made, so in every test. {@code SettingValuesTest} changes one
 * setting after the other and checks that the components of its name change and no other. To add a setting, declare it
 * and add a component to the record of the stage that uses it. The cost, some 80 reflective calls, is paid once for
 * each reading of the configuration: stages receive records, and never look up values.
 *
 * <p><b>Reading again.</b> After SIGHUP {@link io.torussm.daemon.config.Reconfiguration} compares the effective
 * options with those of the file. Settings that need a restart keep their values in the effective options, so that all
 * parts of the SM see the same ones. All others may be read at any time, and stages ask a supplier each time they need
 * one.
 *
 * <p><b>Former names.</b> A renamed setting is declared with its former name. That is read with a warning that gives
 * the new name, and rejected if both are present.
 *
 * <p>Threads: reading runs on the calling thread, {@code main}. Left out: includes, and settings that change
 * automatically.
 */
@NullMarked
package io.torussm.daemon.config;

import org.jspecify.annotations.NullMarked;
