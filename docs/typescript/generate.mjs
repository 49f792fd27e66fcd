// Writes parley.d.ts, the types of the service at PARLEY_URL, from its description.
import { writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const blob = ts.factory.createTypeReferenceNode("Blob");
const types = await openapiTS(new URL("/v1/openapi", process.env.PARLEY_URL), {
  transform: (schema) => (schema.format === "binary" ? blob : undefined), // else a file would be a string
});
await writeFile("parley.d.ts", astToString(types));
