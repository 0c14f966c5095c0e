/**
 * Kafka Connect converters for the four wire protocols, to be named in a worker's or connector's configuration: {@link
 * dev.parley.connect.SlipConverter}, {@link dev.parley.connect.SubitConverter}, {@link dev.parley.connect.CspConverter} and {@link
 * dev.parley.connect.LambdaConverter}. They need Connect's API, which a Connect worker has; no other package does.
 */
package dev.parley.connect;
