"""The Enter key in forms: in a field for a line or a number it presses the button that sends the form, as
Control and Enter do in a field for a text.

Streamlit would only take over what was typed, and says so. In a field for a day Enter is the calendar's, and
what was typed there is taken over later.

A field of the form `name` has the key `name/field`, and its button (`form_button`) the key `name-button`;
Streamlit makes classes of both.
"""

SCRIPT = """
if (!window.parleySendsForms) {
  window.parleySendsForms = true;
  const lines = "[data-testid=stTextInput] input, [data-testid=stNumberInput] input";
  const findKey = e => [...e.classList].find(one => one.startsWith("st-key-")) ?? "";
  const findButton = field => {
    const key = findKey(field);
    const isOfForm = e => key.startsWith(findKey(e).slice(0, -"button".length));
    const buttons = [...document.querySelectorAll("[class*='st-key-'][class*='-button']")].filter(isOfForm);
    buttons.sort((one, other) => findKey(other).length - findKey(one).length);
    return buttons[0]?.querySelector("button:not([disabled])");
  };
  const findField = e => e.closest?.("[class*='st-key-']");
  const nameKey = field => {
    for (const hint of field.querySelectorAll("[data-testid=InputInstructions] span"))
      hint.firstChild.data = hint.firstChild.data.replace(/Enter to apply$/, "Enter to send");
  };
  document.addEventListener("input", event => {
    const field = findField(event.target);
    // The hint is drawn after this event.
    if (field && findButton(field)) setTimeout(nameKey, 0, field);
  });
  document.addEventListener("keydown", event => {
    if (event.key !== "Enter" || event.repeat || event.isComposing || event.shiftKey || event.altKey) return;
    const isSent = event.ctrlKey || event.metaKey
      ? event.target.matches("[data-testid=stTextArea] textarea") : event.target.matches(lines);
    const button = isSent && findButton(findField(event.target));
    // Streamlit takes over what was typed first.
    if (button) setTimeout(() => button.click());
  }, true);
}
"""
