/** The SUBIT-Agent codec (SUBIT-Agent v1.0). */
package dev.parley.codec.subit;
