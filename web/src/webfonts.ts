import "@fontsource-variable/noto-sans-sc";
import "@fontsource-variable/noto-serif-sc";
