/**
 * The proof as a tool: its input is files of any fabric, its output verdicts and a certificate
 * ({@code torus-sm prove}).
 *
 * <p>{@link io.torussm.daemon.proof.FabricFiles} are the files of one fabric, from any program, with
 * assumptions for missing data. {@link io.torussm.daemon.proof.NetworkFile} is a network of any type as JSON.
 * {@code io.torussm.proof} verifies their content and is independent of files.
 * {@link io.torussm.daemon.proof.ProofReport} formats the result as text and JSON.
 * {@link io.torussm.daemon.proof.CertificateFile} writes and reads certificates, with a digest of each file,
 * also for the certificate of the running SM.
 *
 * <p>All input from a file is bounded: bytes, lines, nodes, ports, LIDs. The first file with errors ends the
 * work, with all of its errors by file and line. Only a certificate is written, and never over an existing
 * file.
 */
@NullMarked
package io.torussm.daemon.proof;

import org.jspecify.annotations.NullMarked;
