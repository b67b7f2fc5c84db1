/**
 * The proof as a tool: files of any fabric in, verdicts and a certificate out ({@code torus-sm prove}).
 *
 * <p>{@link io.torussm.daemon.proof.FabricFiles} are the files of one fabric, whatever program wrote them, with what is assumed where they
 * say nothing; {@link io.torussm.daemon.proof.NetworkFile} is a network of any kind as JSON. What they hold is judged by
 * {@code io.torussm.proof}, which knows no file. {@link io.torussm.daemon.proof.ProofReport} puts the answer into words and JSON;
 * {@link io.torussm.daemon.proof.CertificateFile} writes and reads certificates, with a digest of each file that they are about, and
 * does so for the certificate of the running SM, too.
 *
 * <p>Everything from a file is bounded: bytes, lines, nodes, ports, LIDs. The first file that has errors ends the work, with all of
 * its errors by file and line. Nothing but a certificate is written, and that only where there is no file yet.
 */
@NullMarked
package io.torussm.daemon.proof;

import org.jspecify.annotations.NullMarked;
