/**
 * Kafka Connect converters: {@link dev.parley.connect.AvroConverter} for the output topics, and for messages of the
 * four wire protocols {@link dev.parley.connect.SlipConverter}, {@link dev.parley.connect.SubitConverter},
 * {@link dev.parley.connect.CspConverter} and {@link dev.parley.connect.LambdaConverter}. Only this package needs
 * Connect's API, which every Connect worker has.
 */
package dev.parley.connect;
