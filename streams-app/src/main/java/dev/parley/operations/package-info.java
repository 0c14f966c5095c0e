/**
 * What an operator needs beside the running application: the preflight, the access that each principal needs, and how to start again from the input.
 * Knows nothing of HTTP and of the command line.
 */
package dev.parley.operations;
