package io.torussm.transport;

/**
 * The port that a transport is bound to.
 *
 * @param caName as the operating system calls the channel adapter
 * @param portNum from 1
 * @param portGuid GUID of the port
 */
public record LocalPort(String caName, int portNum, long portGuid) {}
