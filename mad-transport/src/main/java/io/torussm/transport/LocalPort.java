package io.torussm.transport;

/**
 * The port that a transport is bound to.
 *
 * @param caName name of the channel adapter in the operating system
 * @param portNum port number, from 1
 * @param portGuid GUID of the port
 */
public record LocalPort(String caName, int portNum, long portGuid) {}
