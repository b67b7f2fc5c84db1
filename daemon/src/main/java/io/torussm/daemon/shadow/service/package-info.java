/**
 * The service of {@code torus-sm shadow}: it reads the fabric of another master at intervals and writes nothing to it.
 */
@NullMarked
package io.torussm.daemon.shadow.service;

import org.jspecify.annotations.NullMarked;
