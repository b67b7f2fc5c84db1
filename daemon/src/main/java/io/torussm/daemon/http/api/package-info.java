/**
 * The addresses under {@code /api/v1/}: lists for programs, changes of the subnet, and their description as OpenAPI.
 *
 * <p>{@link io.torussm.daemon.http.api.Resources} reads. {@link io.torussm.daemon.http.api.SmOperations}, {@link
 * io.torussm.daemon.http.api.PartitionOperations} and {@link io.torussm.daemon.http.api.LabOperations} change.
 */
@NullMarked
package io.torussm.daemon.http.api;

import org.jspecify.annotations.NullMarked;
