/**
 * What a deployment consists of: its applications with their topics, and the permissions of each principal. Start with
 * {@link dev.parley.server.deployment.Deployment}.
 */
package dev.parley.server.deployment;
