"""What an ability is, the effect programs and their interpreter; `text/` compiles card
sentences.
"""
