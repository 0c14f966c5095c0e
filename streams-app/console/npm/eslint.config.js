import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    files: ["**/*.js"],
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-script-url": "error",
      // The characters that text.js makes visible.
      "no-control-regex": "off",
      "no-restricted-properties": [
        "error",
        ...["innerHTML", "outerHTML", "insertAdjacentHTML", "srcdoc"].map((property) => ({
          property,
          message: "Text from agents must not become markup.",
        })),
        { object: "document", property: "write" },
        { object: "document", property: "cookie" },
      ],
      "no-restricted-globals": ["error", "localStorage", "sessionStorage", "indexedDB", "EventSource"],
      "no-restricted-syntax": [
        "error",
        { selector: "Property[key.name='dangerouslySetInnerHTML']", message: "Text must not become markup." },
        { selector: "TemplateElement[value.raw=/dangerouslySetInnerHTML/]", message: "Text must not become markup." },
      ],
    },
  },
  {
    // It remembers choices about the console: neither data nor a token.
    files: ["**/settings.js"],
    rules: { "no-restricted-globals": "off" },
  },
];
