/**
 * The files that settings name, and the checks of {@code --check-config}.
 *
 * <p>The input is {@link io.torussm.daemon.config.SmOptions}. The output is the contents of the files, and findings on
 * files that cannot be used.
 *
 * <p>Files that are read again at heavy sweeps have one life cycle, {@link
 * io.torussm.daemon.config.files.ReloadedFile}: if a file has an error, the active contents stay. Their users parse
 * them; this package does not depend on their grammar. Files of routing engines ({@link
 * io.torussm.daemon.config.files.EngineFiles}) have one too, which lasts over restarts: the
 * engine accepts or rejects the contents.
 *
 * <p>Threads: reading runs on the calling thread, {@code main}; reloaded files belong to {@code sm}. Left out: a file
 * watch (SIGHUP reports that a file is complete).
 */
@NullMarked
package io.torussm.daemon.config.files;

import org.jspecify.annotations.NullMarked;
