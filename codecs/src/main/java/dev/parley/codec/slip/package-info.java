/** The nSLIP codec (SLIP v0.1). */
package dev.parley.codec.slip;
