// All that client.ts uses of Node.
declare const process: { argv: string[] };
